"""Calls every method of mocked APIs with googleapiclient.

Reads calls from standard input, builds the services from the descriptions that
the mock serves, and prints the result of each call as a line of JSON. Then pages
through a list, sends a batch, and uploads and downloads a file.

Usage: mock_calls.py ROOT_URL < calls.json
"""

import io
import json
import sys

import httplib2
from googleapiclient import discovery
from googleapiclient import http as media

ROOT = sys.argv[1]


def connection():
    http = httplib2.Http(timeout=60)
    # The client handles 308 itself; newer versions of httplib2 follow it.
    http.redirect_codes = getattr(http, "redirect_codes", set()) - {308}
    return http


def build(name, version, cache={}):
    if (name, version) not in cache:
        cache[name, version] = discovery.build(
            name,
            version,
            http=connection(),
            cache_discovery=False,
            discoveryServiceUrl=ROOT
            + "discovery/v1/apis/{api}/{apiVersion}/rest",
        )
    return cache[name, version]


def method_of(call):
    owner = build(call["name"], call["version"])
    for resource in call["path"][:-1]:
        owner = getattr(owner, discovery.fix_method_name(resource))()
    return getattr(owner, discovery.fix_method_name(call["path"][-1]))


def run(call):
    parameters = {
        discovery.key2param(name): value
        for name, value in call["parameters"].items()
    }
    if call["body"] is not None:
        parameters["body"] = call["body"]
    try:
        method_of(call)(**parameters).execute()
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)
    return None


def tell(name, failure):
    print(json.dumps({"name": name, "failure": failure}), flush=True)


def pages():
    files = build("drive", "v3").files()
    for number in range(5):
        files.create(body={"name": "page %d" % number}).execute()
    request, names, count = files.list(pageSize=2), [], 0
    while request is not None:
        response = request.execute()
        names += [file["name"] for file in response["files"]]
        request = files.list_next(request, response)
        count += 1
    assert count >= 3, count
    assert len([name for name in names if name.startswith("page")]) == 5, names


def batch():
    drive = build("drive", "v3")
    results = []
    requests = drive.new_batch_http_request(
        callback=lambda _, response, error: results.append((response, error))
    )
    for number in range(3):
        requests.add(drive.files().create(body={"name": "batch %d" % number}))
    requests.execute()
    assert [error for _, error in results] == [None] * 3, results
    assert [file["name"] for file, _ in results] == [
        "batch %d" % number for number in range(3)
    ], results


def uploads():
    files = build("drive", "v3").files()
    content = b"content " * 100_000
    for resumable in (False, True):
        body = media.MediaIoBaseUpload(
            io.BytesIO(content),
            mimetype="text/plain",
            chunksize=256 * 1024,
            resumable=resumable,
        )
        file = files.create(
            body={"name": "up"}, media_body=body, fields="id,size"
        ).execute()
        assert file["size"] == str(len(content)), file
        downloaded = files.get_media(fileId=file["id"]).execute()
        assert downloaded == content, len(downloaded)


for call in json.load(sys.stdin):
    tell(call["id"], run(call))
for check in (pages, batch, uploads):
    try:
        check()
        tell(check.__name__, None)
    except Exception as error:
        tell(check.__name__, "%s: %s" % (type(error).__name__, error))
