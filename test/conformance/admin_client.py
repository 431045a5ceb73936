"""What an operator does with google-api-python-client and the description of the
admin API. Prints one name of a check per line, and stops at the first that fails.

Usage: admin_client.py DESCRIPTION ORIGIN TOKEN
"""

import json
import sys
import tempfile

import httplib2
from googleapiclient.discovery import build_from_document
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaFileUpload

description, origin, token = sys.argv[1:4]


class Http(httplib2.Http):
    """Sends a header of its own, as this API wants its token."""

    def request(self, uri, method="GET", body=None, headers=None, **rest):
        headers = dict(headers or {}, authorization="Bearer " + token)
        return super().request(uri, method, body, headers, **rest)


with open(description, encoding="utf-8") as file:
    document = json.load(file)
document["rootUrl"] = origin + "/"
document.pop("baseUrl", None)
admin = build_from_document(document, http=Http())


def check(name, holds):
    if not holds:
        sys.exit("failed: " + name)
    print("ok " + name)


def refusal(request):
    try:
        request.execute()
    except HttpError as error:
        return error.resp.status, json.loads(error.content)["error"]
    return None, None


owners = admin.owners()
made = owners.create(body={"username": "eve", "email": "eve@example.com"}).execute()
check("owners: create", made["suspended"] is False)
status, error = refusal(
    owners.create(body={"username": "eve", "email": "eve@example.com"})
)
check("owners: conflict", status == 409 and error["errors"][0]["reason"] == "conflict")
changed = owners.patch(owner="eve", body={"suspended": True}).execute()
check("owners: suspend", "suspended_at" in changed)
owners.patch(owner="eve", body={"suspended": False}).execute()

key = owners.keys().create(owner="eve", body={}).execute()
check("keys: create", key["key"].startswith("mk_"))
rotated = owners.keys().rotate(owner="eve", body={}).execute()
check("keys: rotate", rotated["revoked"] == [key["id"]])

lines = [
    "name,description,category,sub_category,version,demo_link,"
    "media.thumbnail,media.preview_image,price.regular,price.extended,currency"
]
for number in range(25):
    lines.append(
        f"Item {number},A thing.,Code,Things,1.0,https://example.com/,"
        "https://example.com/t,https://example.com/p,1,2.5,USD"
    )
with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    file.write("\n".join(lines))
    file.flush()
    media = MediaFileUpload(file.name, mimetype="text/csv")
    result = getattr(owners.items(), "import_")(owner="eve", media_body=media).execute()
check("items: import", result == {"imported": 25, "problems": []})

items = []
request = owners.items().list(owner="eve", pageSize=10)
pages = 0
while request is not None:
    response = request.execute()
    items += response["items"]
    pages += 1
    request = owners.items().list_next(request, response)
check("items: pages", pages == 3 and [item["id"] for item in items] == list(range(25, 0, -1)))

sale = {"item_id": 1, "price": 3, "currency": "USD"}
calls = [
    owners.purchases().create(owner="eve", idempotencyKey="order-1", body=sale)
    for _ in range(2)
]
first, second = [call.execute() for call in calls]
check("purchases: once", first == second and first["purchase_code"] != "")
status, _ = refusal(
    owners.purchases().create(
        owner="eve", idempotencyKey="order-1", body=dict(sale, price=4)
    )
)
check("purchases: another body", status == 409)
owners.purchases().delete(owner="eve", purchase_code=first["purchase_code"]).execute()
check("purchases: delete", owners.purchases().list(owner="eve").execute() == {"purchases": []})

chat = admin.chat().keys().create(body={"name": "CI", "owner": "team"}).execute()
found = admin.chat().keys().get(id=chat["details"]["id"]).execute()
check("chat: key", found["owner"] == "team")
check("chat: usage", admin.chat().usage().list().execute() == {"usage": []})
check("migrations: list", "migrations" in admin.migrations().list().execute())
status, error = refusal(admin.migrations().get(organization="acme", migration_id=99))
check("migrations: unknown", status == 404 and error["errors"][0]["reason"] == "notFound")
