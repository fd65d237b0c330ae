// Plays a whole game: java -cp ... Play http://127.0.0.1:8000 war-at-sea '{"scenario": "convoy"}'
import java.util.*;
import org.openapitools.client.*;
import org.openapitools.client.api.CommandsApi;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.model.NewGame;

public class Play {
  static ApiClient client(String url, String token) {
    var client = new ApiClient();
    client.updateBaseUri(url);
    return token == null ? client : client.setRequestInterceptor(each -> each.header("Authorization", "Bearer " + token));
  }

  public static void main(String[] given) throws Exception {
    var more = given.length > 2 ? given[2].strip().replaceFirst("\\{(?=.*\")", ", ").replace("{}", "}") : "}";
    var wish = ApiClient.createDefaultObjectMapper().readValue("{\"ruleset\": \"" + given[1] + "\"" + more, NewGame.class);
    var games = new GamesApi(client(given[0], null));
    var made = games.createGame(UUID.randomUUID().toString(), wish);
    var seats = new HashMap<String, CommandsApi>();
    for (var each : made.getTokens()) seats.put(each.getSeat(), new CommandsApi(client(given[0], each.getToken())));
    int events = 0, refused = 0;
    var game = made.getGame();
    var id = game.getId();
    for (; !game.getStatus().equals("finished"); game = games.getGame(id, null)) {
      var seat = seats.get(game.getToMove().get(0).getSeat());
      var list = seat.listCommands(id, null, null, null, null, null);
      var item = list.getItems().get(new Random().nextInt(list.getItems().size()));
      var key = UUID.randomUUID().toString();
      try {
        events += seat.giveCommand(id, key, '"' + list.getVersion().toString() + '"', item.getCommand(), null, null, null).getEvents().size();
      } catch (ApiException problem) {
        if (problem.getCode() != 412) throw problem;
        refused++;
      }
    }
    var form = "{\"game\": \"%s\", \"version\": %d, \"events\": %d, \"refused\": %d}%n";
    System.out.printf(form, id, game.getVersion(), events, refused);
  }
}
