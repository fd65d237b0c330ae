// Plays a whole game: generated/go/play http://127.0.0.1:8000 war-at-sea '{"scenario": "convoy"}'
package main
import (
	"client"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
)
func must[T any](value T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
func main() {
	var wish client.NewGame
	rest := append(os.Args[3:], "{}")[0]
	must(0, 0, json.Unmarshal([]byte(fmt.Sprintf(`{"ruleset": %q%s %s`, os.Args[2], ", "[:min(len(rest)-2, 1)], rest[1:])), &wish))
	settings, seats := client.NewConfiguration(), map[string]context.Context{}
	settings.Servers[0].URL = os.Args[1]
	api, open := client.NewAPIClient(settings), context.Background()
	made := must(api.GamesAPI.CreateGame(open).IdempotencyKey(fmt.Sprintf("%032x", rand.Uint64())).NewGame(wish).Execute())
	for _, each := range made.Tokens {
		seats[each.Seat] = context.WithValue(open, client.ContextAccessToken, each.Token)
	}
	events, refused, game := 0, 0, &made.Game
	for ; game.Status != "finished"; game = must(api.GamesAPI.GetGame(open, game.Id).Execute()) {
		list := must(api.CommandsAPI.ListCommands(seats[game.ToMove[0].Seat], game.Id).Execute())
		command := list.Items[rand.IntN(len(list.Items))].Command
		give := api.CommandsAPI.GiveCommand(seats[list.Seat], game.Id).IfMatch(fmt.Sprintf(`"%d"`, list.Version))
		done, answer, err := give.IdempotencyKey(fmt.Sprintf("%032x", rand.Uint64())).Command(command).Execute()
		if answer != nil && answer.StatusCode == 412 {
			done, err, refused = &client.CommandDone{}, nil, refused+1
		}
		events += len(must(done, answer, err).Events)
	}
	fmt.Printf("{\"game\": %q, \"version\": %d, \"events\": %d, \"refused\": %d}\n", game.Id, game.Version, events, refused)
}
