const { google } = require("googleapis");
const compute = google.compute("v1");

/**
 * Starts Compute Engine instances. Expects a PubSub message with JSON-formatted event data.
 */
exports.startInstancePubSub = async (event, context, callback) => {
  try {
    const payload = JSON.parse(Buffer.from(event.data, "base64").toString());
    const auth = await google.auth.getClient({
      scopes: ["https://www.googleapis.com/auth/compute"],
    });
    const project = "p";
    const options = {
      filter: `labels.${payload.label}`,
      project,
      zone: payload.zone,
      auth,
    };
    const result = await compute.instances.list(options);
    const instances = result.data.items || [];
    await Promise.all(
      instances.map(async (instance) => {
        await compute.instances.start({
          auth,
          project,
          zone: payload.zone,
          instance: instance.name,
        });
      }),
    );
    const message = "Successfully started instance(s)";
    console.log(message);
    callback(null, message);
  } catch (err) {
    console.log(err);
    callback(err);
  }
};

const data = Buffer.from(
  JSON.stringify({ zone: "us-west1-b", label: "env=dev" }),
).toString("base64");
exports.startInstancePubSub({ data }, {}, (err, message) =>
  console.log(err, message),
);
