const { google } = require("googleapis");

module.exports = function (opts) {
  const people = google.people({ version: "v1", auth: opts.auth });
  return {
    async create(contact) {
      const body = { names: [{ givenName: contact.first }] };
      if (contact.email) body.emailAddresses = [{ value: contact.email }];
      const req = { requestBody: body, personFields: "names" };
      if (opts.sources) req.sources = opts.sources;
      const res = await people.people.createContact(req);
      return res && res.data && res.data.resourceName;
    },
    remove: (resourceName, cb) =>
      people.people.deleteContact({ resourceName }, cb),
  };
};

const auth = new google.auth.OAuth2("a", "b");
auth.credentials = { refresh_token: "rt" };
const api = module.exports({ auth, sources: ["READ_SOURCE_TYPE_CONTACT"] });
api.create({ first: "A", email: "a@b.c" }).then((name) => {
  console.log(name);
  api.remove("people/c1", (err, res) =>
    console.log(err ? err.code : res.status),
  );
});
