"""What users of google-api-python-client do with all services of one host, whose
descriptions they take from its directory. Prints one name of a check per line, and
stops at the first that fails.

Usage: services_client.py ORIGIN
"""

import json
import sys

import httplib2
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

origin = sys.argv[1]


class Http(httplib2.Http):
    """Sends a header of its own, as these APIs want their tokens."""

    def __init__(self, token):
        super().__init__()
        self.token = token

    def request(self, uri, method="GET", body=None, headers=None, **rest):
        headers = dict(headers or {}, authorization="Bearer " + self.token)
        return super().request(uri, method, body, headers, **rest)


def service_of(name, http):
    url = origin + "/discovery/v1/apis/{api}/{apiVersion}/rest"
    return build(name, "v1", discoveryServiceUrl=url, cache_discovery=False, http=http)


def check(name, holds):
    if not holds:
        sys.exit("failed: " + name)
    print("ok " + name)


def refusal(request):
    try:
        request.execute()
    except HttpError as error:
        return error.resp.status, json.loads(error.content)
    return None, None


chat = service_of("chat", Http("test-key"))
said = {"model": "test-model", "messages": [{"role": "user", "content": "Hello"}]}
answer = chat.chat().completions().create(body=said).execute()
check("chat: create", answer["choices"][0]["message"]["content"] != "")
check("chat: models", chat.models().list().execute()["data"][0]["id"] == "test-model")

market = service_of("marketplace", httplib2.Http())
account = market.account().details(api_key="test-key").execute()
check("marketplace: account", account["status"] == "success")
items = market.items().all(api_key="test-key").execute()["items"]
check("marketplace: all items", len(items) >= 12)
one = market.items().item(api_key="test-key", item_id=items[0]["id"]).execute()
check("marketplace: one item", one["item"] == items[0])
bought = market.purchases().validation(api_key="test-key", purchase_code="code-1")
check(
    "marketplace: purchase",
    bought.execute()["data"]["purchase"]["purchase_code"] == "code-1",
)
wrong = market.purchases().validation(api_key="test-key", purchase_code="none")
check(
    "marketplace: a wrong code",
    refusal(wrong) == (404, {"status": "error", "msg": "Invalid purchase code"}),
)

migrations = service_of("migration", Http("owner-token")).migrations()
for name in ("acme/alpha", "acme/beta"):
    started = migrations.startForOrg(org="acme", body={"repositories": [name]}).execute()
    check("migration: start " + name, started["state"] == "pending")
seen = []
for page in (1, 2, 3):
    seen += migrations.listForOrg(org="acme", per_page=1, page=page).execute()
check("migration: pages", [one["id"] for one in seen][0] == started["id"] and len(seen) == 2)
state = migrations.getStatusForOrg(org="acme", migration_id=started["id"])
check("migration: state", state.execute()["guid"] == started["guid"])
listed = migrations.listReposForOrg(org="acme", migration_id=started["id"]).execute()
check("migration: repositories", [one["full_name"] for one in listed] == ["acme/beta"])
unlocked = migrations.unlockRepoForOrg(
    org="acme", migration_id=started["id"], repo_name="beta"
)
check("migration: not locked", refusal(unlocked)[0] == 404)
check("migration: nobody's", refusal(migrations.listForOrg(org="nobody"))[0] == 404)
