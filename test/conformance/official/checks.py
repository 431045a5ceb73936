"""Drives the servers of python.test.ts with googleapiclient.

usage: checks.py FOLDER NAME=ROOT_URL...

FOLDER holds the documents. Prints a line of JSON for each check: its name, and
what went wrong. The test reads the names in this file.
"""

import base64
import hashlib
import io
import json
import os
import sys
import tempfile
import traceback

import httplib2
from googleapiclient.discovery import build_from_document
from googleapiclient.errors import HttpError
from googleapiclient.http import (
    MediaFileUpload,
    MediaInMemoryUpload,
    MediaIoBaseDownload,
    MediaIoBaseUpload,
    build_http,
)

CHECKS = []
CHUNK = 256 * 1024
TEXT = b"\r\n--\r\n--boundary--\r\n\r\n\0" + bytes(range(256))
LARGE = bytes((7 * at) & 255 for at in range(2 * CHUNK + 999))
ODD = "a folder/100% of naïve + 漢字 & \"quotes\"?#.txt"


def check(name):
    """Adds a function to the checks."""

    def add(function):
        CHECKS.append((name, function))
        return function

    return add


def equal(got, expected):
    if got != expected:
        raise AssertionError(f"expected {expected!r:.300}, got {got!r:.300}")


def refused(status, work):
    """The error that work ends with; it has to have the status."""
    try:
        work()
    except HttpError as error:
        equal(error.resp.status, status)
        return json.loads(error.content)["error"]
    raise AssertionError(f"expected {status}, got no error")


def md5(data):
    return base64.b64encode(hashlib.md5(data).digest()).decode()


def file_of(data):
    handle, path = tempfile.mkstemp()
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return path


def finish(request):
    """The answer to a resumable upload, and how many chunks it took."""
    response, count = None, 0
    while response is None:
        _, response = request.next_chunk()
        count += 1
    return response, count


@check("storage: buckets are made, found and refused twice")
def _(api):
    storage = api["storage.v1"]
    made = storage.buckets().insert(project="p", body={"name": "python"}).execute()
    equal(made["name"], "python")
    equal(storage.buckets().get(bucket="python").execute(), made)
    again = storage.buckets().insert(project="p", body={"name": "python"})
    equal(refused(409, again.execute)["code"], 409)


@check("storage: a simple upload")
def _(api):
    media = MediaInMemoryUpload(TEXT, mimetype="text/x-odd")
    made = api["storage.v1"].objects().insert(
        bucket="python", name="simple", media_body=media
    ).execute()
    equal(made["md5Hash"], md5(TEXT))
    equal(made["contentType"], "text/x-odd")
    equal(made["size"], str(len(TEXT)))


@check("storage: a multipart upload from a file, under an odd name")
def _(api):
    path = file_of(TEXT)
    try:
        made = api["storage.v1"].objects().insert(
            bucket="python",
            body={"name": ODD, "metadata": {"key": "naïve"}},
            media_body=MediaFileUpload(path, mimetype="image/png"),
        ).execute()
    finally:
        os.remove(path)
    equal(made["name"], ODD)
    equal(made["metadata"], {"key": "naïve"})
    equal(made["md5Hash"], md5(TEXT))


@check("storage: a resumable upload in chunks")
def _(api):
    path = file_of(LARGE)
    media = MediaFileUpload(path, "video/mp4", chunksize=CHUNK, resumable=True)
    request = api["storage.v1"].objects().insert(
        bucket="python", body={"name": "chunks"}, media_body=media
    )
    made, count = finish(request)
    os.remove(path)
    equal(count, 3)
    equal(made["md5Hash"], md5(LARGE))
    equal(made["contentType"], "video/mp4")


@check("storage: a resumable upload of unknown length")
def _(api):
    class Unsized(MediaIoBaseUpload):
        def size(self):
            return None

        def has_stream(self):
            return False

    media = Unsized(io.BytesIO(LARGE), "video/mp4", chunksize=CHUNK, resumable=True)
    made, _ = finish(
        api["storage.v1"].objects().insert(
            bucket="python", name="unsized", body={}, media_body=media
        )
    )
    equal(made["md5Hash"], md5(LARGE))


@check("storage: a resumable upload goes on from where it broke off")
def _(api):
    media = MediaIoBaseUpload(
        io.BytesIO(LARGE), "video/mp4", chunksize=CHUNK, resumable=True
    )
    request = api["storage.v1"].objects().insert(
        bucket="python", name="broken", body={}, media_body=media
    )
    request.next_chunk()
    # As after an error: the client asks the server how far it got.
    request._in_error_state = True
    request.resumable_progress = 0
    made, _ = finish(request)
    equal(made["md5Hash"], md5(LARGE))


@check("storage: an empty resumable upload")
def _(api):
    media = MediaInMemoryUpload(b"", mimetype="text/plain", resumable=True)
    made, _ = finish(
        api["storage.v1"].objects().insert(
            bucket="python", name="empty", body={}, media_body=media
        )
    )
    equal(made["size"], "0")


@check("storage: an upload to an unknown session is refused")
def _(api):
    media = MediaInMemoryUpload(TEXT, mimetype="text/plain", resumable=True)
    request = api["storage.v1"].objects().insert(
        bucket="python", name="lost", body={}, media_body=media
    )
    root = api["roots"]["storage.v1"]
    request.resumable_uri = f"{root}upload/storage/v1/b/python/o?upload_id={'0' * 32}"
    equal(refused(404, request.next_chunk)["code"], 404)


@check("storage: a download in chunks")
def _(api):
    target = io.BytesIO()
    request = api["storage.v1"].objects().get_media(bucket="python", object="chunks")
    download = MediaIoBaseDownload(target, request, chunksize=CHUNK)
    done, count = False, 0
    while not done:
        status, done = download.next_chunk()
        count += 1
    equal(count, 3)
    equal(status.progress(), 1.0)
    equal(target.getvalue(), LARGE)


@check("storage: a download at once, of an odd name")
def _(api):
    get = api["storage.v1"].objects().get_media(bucket="python", object=ODD)
    equal(get.execute(), TEXT)


@check("storage: a download of nothing")
def _(api):
    target = io.BytesIO()
    request = api["storage.v1"].objects().get_media(bucket="python", object="empty")
    _, done = MediaIoBaseDownload(target, request, chunksize=CHUNK).next_chunk()
    equal(done, True)
    equal(target.getvalue(), b"")


@check("storage: list_next goes through all pages")
def _(api):
    objects = api["storage.v1"].objects()
    request, names, pages = objects.list(bucket="python", maxResults=2), [], 0
    while request is not None:
        page = request.execute()
        names += [item["name"] for item in page.get("items", [])]
        pages += 1
        request = objects.list_next(request, page)
    equal(sorted(names), sorted({*names}))
    equal(len(names), 6)
    equal(pages, 3)


@check("storage: prefixes and delimiters")
def _(api):
    page = api["storage.v1"].objects().list(bucket="python", delimiter="/").execute()
    equal(page["prefixes"], ["a folder/"])


@check("storage: a part of an answer")
def _(api):
    get = api["storage.v1"].objects().get(
        bucket="python", object="simple", fields="name,size"
    )
    equal(get.execute(), {"name": "simple", "size": str(len(TEXT))})


@check("storage: a change of what describes an object")
def _(api):
    made = api["storage.v1"].objects().patch(
        bucket="python", object="simple", body={"metadata": {"a": "b"}}
    ).execute()
    equal(made["metadata"], {"a": "b"})
    equal(made["metageneration"], "2")


@check("storage: a precondition that fails")
def _(api):
    media = MediaInMemoryUpload(b"x", mimetype="text/plain")
    request = api["storage.v1"].objects().insert(
        bucket="python", name="simple", media_body=media, ifGenerationMatch="0"
    )
    equal(refused(412, request.execute)["errors"][0]["reason"], "conditionNotMet")


@check("storage: a copy and a rewrite")
def _(api):
    objects = api["storage.v1"].objects()
    source = {"sourceBucket": "python", "sourceObject": ODD}
    copied = objects.copy(
        **source, destinationBucket="python", destinationObject="b/ä", body={}
    ).execute()
    equal(copied["md5Hash"], md5(TEXT))
    done = objects.rewrite(
        **source, destinationBucket="python", destinationObject="c", body={}
    ).execute()
    equal(done["done"], True)
    equal(done["resource"]["md5Hash"], md5(TEXT))


@check("storage: what is not there")
def _(api):
    get = api["storage.v1"].objects().get(bucket="python", object="none")
    error = refused(404, get.execute)
    equal(error["errors"][0]["reason"], "notFound")
    equal(error["message"], "Object none was not found.")


@check("storage: a batch with answers and errors")
def _(api):
    objects, answers = api["storage.v1"].objects(), {}
    batch = api["storage.v1"].new_batch_http_request(
        callback=lambda key, response, error: answers.update({key: (response, error)})
    )
    for key in ["simple", ODD, "none"]:
        batch.add(objects.get(bucket="python", object=key), request_id=key)
    batch.add(
        objects.patch(bucket="python", object="c", body={"metadata": {"ä": "ö"}}),
        request_id="patch",
    )
    batch.execute()
    equal(answers["simple"][0]["name"], "simple")
    equal(answers[ODD][0]["name"], ODD)
    equal(answers["none"][1].resp.status, 404)
    equal(answers["patch"][0]["metadata"], {"ä": "ö"})


@check("storage: a batch of deletions")
def _(api):
    objects, errors = api["storage.v1"].objects(), []
    batch = api["storage.v1"].new_batch_http_request()
    for key in ["c", "b/ä", "empty"]:
        batch.add(
            objects.delete(bucket="python", object=key),
            callback=lambda key, response, error: errors.append(error),
        )
    batch.execute()
    equal(errors, [None, None, None])
    gone = objects.get(bucket="python", object="c")
    equal(refused(404, gone.execute)["code"], 404)


@check("storage: a GET with a long URL comes as a POST")
def _(api):
    names = "naïve" * 600
    page = api["storage.v1"].objects().list(bucket="python", prefix=names).execute()
    equal(page, {"kind": "storage#objects", "items": []})


@check("drive: a folder without content, and its errors")
def _(api):
    files = api["drive.v3"].files()
    folder = {"name": "Folder", "mimeType": "application/vnd.google-apps.folder"}
    made = files.create(body=folder, fields="id,name").execute()
    equal(sorted(made), ["id", "name"])
    error = refused(403, files.get_media(fileId=made["id"]).execute)
    equal(error["errors"][0]["reason"], "fileNotDownloadable")


@check("drive: content is made, read, replaced and removed")
def _(api):
    files = api["drive.v3"].files()
    made = files.create(
        body={"name": "ä.bin"},
        media_body=MediaInMemoryUpload(TEXT, mimetype="image/png"),
        fields="*",
    ).execute()
    equal(made["md5Checksum"], hashlib.md5(TEXT).hexdigest())
    equal(files.get_media(fileId=made["id"]).execute(), TEXT)
    media = MediaIoBaseUpload(
        io.BytesIO(LARGE), "image/png", chunksize=CHUNK, resumable=True
    )
    changed, count = finish(files.update(fileId=made["id"], media_body=media))
    equal(count, 3)
    equal(changed["name"], "ä.bin")
    equal(files.get_media(fileId=made["id"]).execute(), LARGE)
    equal(files.delete(fileId=made["id"]).execute(), "")
    equal(refused(404, files.get(fileId=made["id"]).execute)["code"], 404)


@check("drive: pages of files that a query finds")
def _(api):
    files, names = api["drive.v3"].files(), []
    for index in range(5):
        files.create(body={"name": f"page {index}"}).execute()
    request = files.list(q="name contains 'page'", pageSize=2)
    while request is not None:
        page = request.execute()
        names += [file["name"] for file in page["files"]]
        request = files.list_next(request, page)
    equal(names, [f"page {index}" for index in range(5)])


@check("drive: a parameter that must be there")
def _(api):
    get = api["drive.v3"].about().get()
    equal(refused(400, get.execute)["code"], 400)
    about = api["drive.v3"].about().get(fields="user(displayName)").execute()
    equal(about, {"user": {"displayName": "Somebody"}})


@check("tasks: lists and tasks in their order")
def _(api):
    lists, tasks = api["tasks.v1"].tasklists(), api["tasks.v1"].tasks()
    made = lists.insert(body={"title": "Naïve"}).execute()
    ids = [
        tasks.insert(tasklist=made["id"], body={"title": title}).execute()["id"]
        for title in ["one", "two", "three"]
    ]
    tasks.move(tasklist=made["id"], task=ids[2], previous=ids[0]).execute()
    found, request = [], tasks.list(tasklist=made["id"], maxResults=2)
    while request is not None:
        page = request.execute()
        found += [task["title"] for task in page["items"]]
        request = tasks.list_next(request, page)
    equal(found, ["two", "one", "three"])
    equal(tasks.delete(tasklist=made["id"], task=ids[0]).execute(), "")


@check("tasks: a batch of more calls than one request takes at a time")
def _(api):
    lists, found = api["tasks.v1"].tasklists(), []
    batch = api["tasks.v1"].new_batch_http_request(
        callback=lambda key, response, error: found.append(error or response["title"])
    )
    for index in range(60):
        batch.add(lists.insert(body={"title": str(index)}))
    batch.execute()
    equal(sorted(found, key=int), [str(index) for index in range(60)])


@check("tasks: a value that does not fit")
def _(api):
    root = api["roots"]["tasks.v1"]
    url = f"{root}tasks/v1/users/@me/lists?maxResults=many"
    response, content = httplib2.Http().request(url)
    equal(response.status, 400)
    equal(json.loads(content)["error"]["errors"][0]["location"], "maxResults")


@check("pubsub: topics under names with slashes")
def _(api):
    topics = api["pubsub.v1"].projects().topics()
    made = topics.create(name="projects/p/topics/t~1", body={}).execute()
    equal(made, {"name": "projects/p/topics/t~1"})
    again = topics.create(name="projects/p/topics/t~1", body={})
    equal(refused(409, again.execute)["status"], "ALREADY_EXISTS")
    page = topics.list(project="projects/p").execute()
    equal(page["topics"], [made])


@check("pubsub: messages are published, pulled and acknowledged")
def _(api):
    projects = api["pubsub.v1"].projects()
    topic, name = "projects/p/topics/t~1", "projects/p/subscriptions/s"
    projects.subscriptions().create(name=name, body={"topic": topic}).execute()
    data = base64.b64encode(TEXT).decode()
    message = {"data": data, "attributes": {"key": "naïve"}}
    sent = projects.topics().publish(topic=topic, body={"messages": [message] * 3})
    equal(len(sent.execute()["messageIds"]), 3)
    pull = projects.subscriptions().pull(subscription=name, body={"maxMessages": 10})
    received = pull.execute()["receivedMessages"]
    equal([one["message"]["data"] for one in received], [data] * 3)
    equal(received[0]["message"]["attributes"], {"key": "naïve"})
    ids = [one["ackId"] for one in received]
    acknowledge = {"subscription": name, "body": {"ackIds": ids}}
    equal(projects.subscriptions().acknowledge(**acknowledge).execute(), {})
    equal(pull.execute(), {})


@check("pubsub: a body that does not fit")
def _(api):
    publish = api["pubsub.v1"].projects().topics().publish(
        topic="projects/p/topics/t~1", body={"messages": [{"data": 7}]}
    )
    error = refused(400, publish.execute)
    violation = error["details"][0]["fieldViolations"][0]
    equal(violation["field"], "messages[0].data")


def main(folder, roots):
    api = {"roots": roots}
    for name, root in roots.items():
        with open(os.path.join(folder, f"{name}.json"), encoding="utf8") as file:
            document = {**json.load(file), "rootUrl": root}
        api[name] = build_from_document(document, http=build_http())
    for name, work in CHECKS:
        try:
            work(api)
            failure = None
        except Exception as error:  # each check has its own
            failure = f"{error!r}\n{traceback.format_exc()}"
        print(json.dumps({"name": name, "failure": failure}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], dict(pair.split("=", 1) for pair in sys.argv[2:]))
