// The vectors of the dice by Go's standard library alone, from what dice.md says: a foreign judge.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
)

type roll struct {
	Key, Label   string
	Pools, Faces [][]int
}

type batch struct {
	G, Domain, Link, Key string
	T                    uint32
	Players              []string
	Beacon               []json.RawMessage
}

type game struct {
	Params struct {
		Game, Rules, Scenario string
		Seats                 byte
		Length                uint32
	}
	G, Master, Domain, Tip, Commitment, Secret, Player string
	Seat                                               byte
}

func raw(told string) []byte {
	found, err := hex.DecodeString(told)
	if err != nil {
		panic(err)
	}
	return found
}

func u32(value uint32) []byte { return binary.BigEndian.AppendUint32(nil, value) }

func lp(data []byte) []byte { return append(u32(uint32(len(data))), data...) }

func th(tag string, fields ...[]byte) []byte {
	text := append(lp([]byte(tag)), u32(uint32(len(fields)))...)
	for _, each := range fields {
		text = append(text, lp(each)...)
	}
	found := sha256.Sum256(text)
	return found[:]
}

func mac(key []byte, parts ...[]byte) []byte {
	made := hmac.New(sha256.New, key)
	for _, each := range parts {
		made.Write(each)
	}
	return made.Sum(nil)
}

func expand(key, info []byte, length int) []byte {
	var found, last []byte
	for number := byte(1); len(found) < length; number++ {
		last = mac(key, last, info, []byte{number})
		found = append(found, last...)
	}
	return found[:length]
}

func faces(key []byte, label string, pools [][]int) [][]int {
	stream := expand(key, append([]byte("nwd1/roll"), lp([]byte(label))...), 8160)
	found := [][]int{}
	for _, each := range pools {
		count, sides, width := each[0], each[1], 1
		if sides > 256 {
			width = 2
		}
		size := 1 << (8 * width)
		pool := []int{}
		for len(pool) < count {
			value := 0
			for _, one := range stream[:width] {
				value = value<<8 | int(one)
			}
			stream = stream[width:]
			if value < size-size%sides {
				pool = append(pool, 1+value%sides)
			}
		}
		found = append(found, pool)
	}
	return found
}

func (b batch) made() []byte {
	text := lp(raw(b.Link))
	for _, each := range b.Players {
		if each == "" {
			text = append(text, 0)
		} else {
			text = append(append(text, 1), lp(raw(each))...)
		}
	}
	if b.Beacon == nil {
		text = append(text, 0)
	} else {
		var round uint64
		var randomness string
		if json.Unmarshal(b.Beacon[0], &round) != nil || json.Unmarshal(b.Beacon[1], &randomness) != nil {
			panic("a beacon is a round and its randomness")
		}
		text = binary.BigEndian.AppendUint64(append(text, 1), round)
		text = append(text, lp(raw(randomness))...)
	}
	return mac(th("nwd1/batch", raw(b.G), []byte(b.Domain), u32(b.T)), text)
}

func tip(secret, g, info, who []byte, domain string, length uint32) []byte {
	link := expand(mac(g, secret), info, 32)
	for number := length; number > 0; number-- {
		link = th("nwd1/link", g, who, []byte(domain), u32(number), link)
	}
	return link
}

func (told game) holds() bool {
	p := told.Params
	g := th("nwd1/params", raw(p.Game), raw(p.Rules), raw(p.Scenario), []byte{p.Seats}, u32(p.Length))
	own := append([]byte("nwd1/server-chain"), lp([]byte(told.Domain))...)
	server := tip(raw(told.Master), g, own, []byte("S"), told.Domain, p.Length)
	seat := append([]byte("nwd1/player-chain"), told.Seat)
	player := tip(raw(told.Secret), g, seat, append([]byte("P"), told.Seat), "", p.Length)
	committed := th("nwd1/server-commit", g, []byte(told.Domain), server)
	made := [][]byte{g, server, player, committed}
	for at, each := range []string{told.G, told.Tip, told.Player, told.Commitment} {
		if !bytes.Equal(made[at], raw(each)) {
			return false
		}
	}
	return true
}

func flipped(told string) string {
	data := raw(told)
	data[0] ^= 1
	return hex.EncodeToString(data)
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var told struct {
		Rolls   []roll
		Batches []batch
		Games   []game
	}
	if err := json.Unmarshal(data, &told); err != nil {
		panic(err)
	}
	held, refused := [3]int{}, [3]int{}
	for _, each := range told.Rolls {
		if reflect.DeepEqual(faces(raw(each.Key), each.Label, each.Pools), each.Faces) {
			held[0]++
		}
		if !reflect.DeepEqual(faces(raw(flipped(each.Key)), each.Label, each.Pools), each.Faces) {
			refused[0]++
		}
	}
	for _, each := range told.Batches {
		if bytes.Equal(each.made(), raw(each.Key)) {
			held[1]++
		}
		each.Link = flipped(each.Link)
		if !bytes.Equal(each.made(), raw(each.Key)) {
			refused[1]++
		}
	}
	for _, each := range told.Games {
		if each.holds() {
			held[2]++
		}
		each.Secret = flipped(each.Secret)
		if !each.holds() {
			refused[2]++
		}
	}
	fmt.Printf("%d rolls, %d batches, %d games hold\n", held[0], held[1], held[2])
	fmt.Printf("%d rolls, %d batches, %d games with another bit in what they are made of do not\n", refused[0], refused[1], refused[2])
}
