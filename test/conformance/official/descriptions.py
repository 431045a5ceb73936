"""Builds clients from the descriptions of generated servers, and calls them.

Prints a line of JSON with the results.

Usage: descriptions.py ROOT_URL
"""

import io
import json
import sys
import urllib.request

import httplib2
from googleapiclient import discovery
from googleapiclient import http as media

ROOT = sys.argv[1]
DIRECTORY = ROOT + "discovery/v1/apis"
OWN = ROOT + "$discovery/rest?version={apiVersion}"


def build(name, version, url):
    http = httplib2.Http(timeout=60)
    # The client handles 308 itself; newer versions of httplib2 follow it.
    http.redirect_codes = getattr(http, "redirect_codes", set()) - {308}
    return discovery.build(
        name, version, http=http, cache_discovery=False, discoveryServiceUrl=url
    )


with urllib.request.urlopen(DIRECTORY) as response:
    listed = [item["id"] for item in json.load(response)["items"]]

drive = build("drive", "v3", DIRECTORY + "/{api}/{apiVersion}/rest")
content = b"content " * 100_000
sizes = []
for resumable in (False, True):
    body = media.MediaIoBaseUpload(
        io.BytesIO(content),
        mimetype="text/plain",
        chunksize=256 * 1024,
        resumable=resumable,
    )
    file = drive.files().create(body={"name": "up"}, media_body=body).execute()
    downloaded = drive.files().get_media(fileId=file["id"]).execute()
    sizes.append([file["size"], downloaded == content])

tasks = build("tasks", "v1", DIRECTORY + "/{api}/{apiVersion}/rest")
title = tasks.tasklists().insert(body={"title": "A list"}).execute()["title"]
same = build("tasks", "v1", OWN)
titles = [item["title"] for item in same.tasklists().list().execute()["items"]]
print(
    json.dumps({"listed": listed, "sizes": sizes, "title": title, "titles": titles})
)
