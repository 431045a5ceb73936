"""Calls every method of mocked APIs with googleapiclient.

Reads calls from standard input, builds the services from the descriptions that
the mock serves, and prints the result of each call as a line of JSON. A call of a
list reads three pages. A method with uploads or downloads is called with media
too. Each service with GET methods gets a batch. Then pages through a list, sends
a batch, and uploads and downloads a file.

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


def owner_of(call):
    owner = build(call["name"], call["version"])
    for resource in call["path"][:-1]:
        owner = getattr(owner, discovery.fix_method_name(resource))()
    return owner


def request_of(call, **more):
    parameters = {
        discovery.key2param(name): value
        for name, value in call["parameters"].items()
    }
    if call["body"] is not None:
        parameters["body"] = call["body"]
    name = discovery.fix_method_name(call["path"][-1])
    return getattr(owner_of(call), name)(**parameters, **more)


def run(call):
    request = request_of(call)
    response = request.execute()
    name = discovery.fix_method_name(call["path"][-1])
    following = getattr(owner_of(call), name + "_next", None)
    for _ in range(2):
        if following is None:
            break
        request = following(request, response)
        if request is None:
            break
        response = request.execute()
    if call["upload"]:
        body = media.MediaInMemoryUpload(b"content", mimetype=call["upload"])
        request_of(call, media_body=body).execute()
    if call["download"]:
        content = getattr(owner_of(call), name + "_media")
        parameters = {
            discovery.key2param(name): value
            for name, value in call["parameters"].items()
        }
        if call["body"] is not None:
            parameters["body"] = call["body"]
        assert len(content(**parameters).execute()) > 0


def run_batch(calls):
    batch = build(calls[0]["name"], calls[0]["version"]).new_batch_http_request()
    errors = []
    for call in calls:
        batch.add(
            request_of(call),
            callback=lambda number, response, error: errors.append(error),
        )
    batch.execute()
    assert errors == [None] * len(calls), errors


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


def check(name, function, *arguments):
    try:
        function(*arguments)
        tell(name, None)
    except Exception as error:
        tell(name, "%s: %s" % (type(error).__name__, error))


batches = {}
for call in json.load(sys.stdin):
    check(call["id"], run, call)
    if call["isBatched"]:
        batches.setdefault((call["name"], call["version"]), []).append(call)
for (name, version), calls in batches.items():
    check("batch of %s:%s" % (name, version), run_batch, calls[:3])
for function in (pages, batch, uploads):
    check(function.__name__, function)
