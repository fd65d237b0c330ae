import { defineConfig } from "@hey-api/openapi-ts";

/** Events as a stream: of the three forms of listEvents this client takes server-sent events. */
function asStream(operation) {
  delete operation.responses["204"];
  operation.responses["200"].content = {
    "text/event-stream": { schema: { $ref: "#/components/schemas/Event" } },
  };
}

export default defineConfig({
  input: "../openapi.json",
  output: { path: "generated/hey", importFileExtension: ".js" },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  parser: { patch: { operations: { "GET /v1/games/{game}/events": asStream } } },
  logs: { level: "warn", file: false },
});
