package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type Size struct {
	Size        int64           `json:"size"`
	Root        string          `json:"root"`
	Inclusion   [][2]json.RawMessage `json:"inclusion"`
	Consistency [][2]json.RawMessage `json:"consistency"`
}
type Told struct {
	Leaf []struct{ Data, Leaf string } `json:"leaf"`
	Tree struct {
		Leaves []string `json:"leaves"`
		Sizes  []Size   `json:"sizes"`
	} `json:"tree"`
	Large struct{ Sizes []Size } `json:"large"`
	Note  struct{ Vkey, Checkpoint string } `json:"note"`
}

func hash(text string) tlog.Hash {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 32 {
		panic(text)
	}
	var h tlog.Hash
	copy(h[:], b)
	return h
}

func pair(row [2]json.RawMessage) (int64, []tlog.Hash) {
	var n int64
	var texts []string
	if json.Unmarshal(row[0], &n) != nil || json.Unmarshal(row[1], &texts) != nil {
		panic("row")
	}
	found := make([]tlog.Hash, len(texts))
	for i, t := range texts {
		found[i] = hash(t)
	}
	return n, found
}

func must(err error, what string) {
	if err != nil {
		fmt.Println("REFUSED", what, err)
		os.Exit(1)
	}
}

func judge(name string, leaf func(int64) []byte, sizes []Size) {
	roots, in, con, refused := 0, 0, 0, 0
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(at []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(at))
		for i, x := range at {
			out[i] = stored[x]
		}
		return out, nil
	})
	grown := int64(0)
	root := map[int64]tlog.Hash{}
	grow := func(size int64) {
		for ; grown < size; grown++ {
			hs, err := tlog.StoredHashes(grown, leaf(grown), reader)
			must(err, "hashes")
			stored = append(stored, hs...)
			r, err := tlog.TreeHash(grown+1, reader)
			must(err, "tree")
			root[grown+1] = r
		}
	}
	for _, s := range sizes {
		if s.Size == 0 {
			continue
		}
		grow(s.Size)
		if root[s.Size] != hash(s.Root) {
			must(fmt.Errorf("root of %d", s.Size), name)
		}
		roots++
		for _, row := range s.Inclusion {
			n, p := pair(row)
			must(tlog.CheckRecord(p, s.Size, hash(s.Root), n, tlog.RecordHash(leaf(n))), "inclusion")
			in++
			if s.Size > 1 && tlog.CheckRecord(p, s.Size, hash(s.Root), n, tlog.RecordHash([]byte("x"))) != nil {
				refused++
			}
		}
		for _, row := range s.Consistency {
			n, p := pair(row)
			must(tlog.CheckTree(p, s.Size, hash(s.Root), n, root[n]), "consistency")
			con++
		}
	}
	fmt.Printf("%s: %d roots, %d inclusion proofs, %d consistency proofs hold; %d with another leaf are refused\n", name, roots, in, con, refused)
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	must(err, "file")
	var told Told
	must(json.Unmarshal(data, &told), "json")
	judge("tree", func(i int64) []byte { b, _ := hex.DecodeString(told.Tree.Leaves[i]); return b }, told.Tree.Sizes)
	judge("large", func(i int64) []byte { return []byte(fmt.Sprint(i)) }, told.Large.Sizes)
	v, err := note.NewVerifier(told.Note.Vkey)
	must(err, "vkey")
	n, err := note.Open([]byte(told.Note.Checkpoint), note.VerifierList(v))
	must(err, "note")
	t, err := tlog.ParseTree([]byte("go.sum database tree\n" + n.Text[len("example.org/nwg/log\n"):]))
	must(err, "tree of note")
	fmt.Printf("note: %d signature, %d unverified, %d leaves, root %v\n", len(n.Sigs), len(n.UnverifiedSigs), t.N, t.Hash)
	for i := range told.Note.Checkpoint {
		wrong := []byte(told.Note.Checkpoint)
		wrong[i] ^= 1
		if m, err := note.Open(wrong, note.VerifierList(v)); err == nil && m.Text != n.Text {
			must(fmt.Errorf("byte %d", i), "a changed note is taken")
		}
	}
	fmt.Println("note: no change of one bit of the text is taken")
}
