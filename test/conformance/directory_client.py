"""What users of google-api-python-client do with a directory. Prints one name of
a check per line, and stops at the first that fails.

Usage: directory_client.py ORIGIN NAME:VERSION...
"""

import json
import sys

import httplib2
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

origin, ids = sys.argv[1], sys.argv[2:]
url = origin + "/discovery/v1/apis/{api}/{apiVersion}/rest"


def service_of(name, version, template=url):
    return build(
        name,
        version,
        discoveryServiceUrl=template,
        cache_discovery=False,
        http=httplib2.Http(),
    )


def check(name, holds):
    if not holds:
        sys.exit("failed: " + name)
    print("ok " + name)


directory = service_of("discovery", "v1")
items = directory.apis().list().execute()["items"]
listed = {item["id"]: item for item in items}
check("list", set(ids) <= set(listed))
check(
    "preferred",
    all(i["preferred"] for i in directory.apis().list(preferred=True).execute()["items"]),
)
check(
    "fields",
    directory.apis().list(name="discovery", fields="items(id)").execute()
    == {"items": [{"id": "discovery:v1"}]},
)
check("no match", "items" not in directory.apis().list(name="nobody").execute())
document = directory.apis().getRest(api="discovery", version="v1").execute()
check("getRest", document["rootUrl"] == origin + "/")
try:
    directory.apis().getRest(api="nobody", version="v1").execute()
    check("not found", False)
except HttpError as error:
    check(
        "not found",
        error.resp.status == 404
        and json.loads(error.content)["error"]["errors"][0]["reason"] == "notFound",
    )
alias = service_of("discovery", "v1", origin + "/{api}/$discovery/rest?version={apiVersion}")
check("$discovery", len(alias.apis().list().execute()["items"]) == len(items))
for one in ids:
    name, version = one.split(":")
    check("build " + one, service_of(name, version)._baseUrl.startswith("http"))
batch = directory.new_batch_http_request()
answers = []
for _ in range(2):
    batch.add(directory.apis().list(), callback=lambda i, r, e: answers.append((r, e)))
batch.execute(http=httplib2.Http())
check("batch", [len(r["items"]) for r, e in answers] == [len(items)] * 2)
cached = httplib2.Http(cache="cache")  # in the working directory
target = origin + "/discovery/v1/apis"
cached.request(target)
again, _ = cached.request(target, headers={"cache-control": "max-age=0"})
check("304 of httplib2", again.fromcache and again["status"] in ("200", "304"))
