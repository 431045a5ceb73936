"""Prints the description of an API, made from the client that gcloud contains.

gcloud's commands use clients that were generated from descriptions. This script
turns such a client back into a description: paths and parameters from the
methods, schemas from the messages, and the descriptions of fields from the
doc strings.

Usage: gcloud_description.py SDK_ROOT NAME VERSION
"""

import importlib
import json
import re
import sys
import textwrap

SDK, NAME, VERSION = sys.argv[1:]
sys.path[:0] = [SDK + "/lib", SDK + "/lib/third_party"]

from apitools.base.protorpclite import messages as protorpc  # noqa: E402
from apitools.base.py import encoding  # noqa: E402

PACKAGE = "googlecloudsdk.generated_clients.apis.%s.%s." % (NAME, VERSION)
PREFIX = "%s_%s_" % (NAME, VERSION)
MESSAGES = importlib.import_module(PACKAGE + PREFIX + "messages")
CLIENTS = importlib.import_module(PACKAGE + PREFIX + "client")

SCALARS = {
    "BOOL": {"type": "boolean"},
    "BYTES": {"type": "string", "format": "byte"},
    "DOUBLE": {"type": "number", "format": "double"},
    "FLOAT": {"type": "number", "format": "float"},
    "INT32": {"type": "integer", "format": "int32"},
    "INT64": {"type": "string", "format": "int64"},
    "STRING": {"type": "string"},
    "UINT32": {"type": "integer", "format": "uint32"},
    "UINT64": {"type": "string", "format": "uint64"},
}

schemas = {}


def doc_of(message):
    """Descriptions of the fields of a message, from its doc string."""
    text = (message.__doc__ or "").partition("Fields:\n")[2]
    parts = re.split(r"^(\w+): ", textwrap.dedent(text), flags=re.M)
    return {
        name: " ".join(description.split())
        for name, description in zip(parts[1::2], parts[2::2])
    }


def json_name(message, field):
    return (
        encoding.GetCustomJsonFieldMapping(message, python_name=field.name)
        or field.name
    )


def schema_of(field):
    variant = str(field.variant)
    if variant == "ENUM":
        return {"type": "string", "enum": list(field.type.names())}
    if variant != "MESSAGE":
        return dict(SCALARS[variant])
    if field.type.__module__ != MESSAGES.__name__:
        return {"type": "any"}
    values = [one for one in field.type.all_fields() if one.name == "additionalProperties"]
    if values:
        (entry,) = [
            one for one in values[0].type.all_fields() if one.name == "value"
        ]
        return {"type": "object", "additionalProperties": property_of(entry, "")}
    add_schema(field.type)
    return {"$ref": field.type.__name__}


def property_of(field, description):
    schema = schema_of(field)
    if field.repeated:
        schema = {"type": "array", "items": schema}
    if description:
        schema["description"] = description
        if re.match(r"(Optional\. )?(\[?Output only)", description):
            schema["readOnly"] = True
    return schema


def add_schema(message):
    if message.__name__ in schemas:
        return
    schemas[message.__name__] = schema = {
        "id": message.__name__,
        "type": "object",
        "properties": {},
    }
    docs = doc_of(message)
    for field in message.all_fields():
        schema["properties"][json_name(message, field)] = property_of(
            field, docs.get(field.name, "")
        )


def pattern_of(flat_path, relative_path):
    """Pattern of the single reserved variable of a path."""
    before, _, after = re.split(r"(\{\+\w+\})", relative_path)
    inner = flat_path[len(before) : len(flat_path) - len(after)]
    return "^%s$" % re.sub(r"\{\w+\}", "[^/]+", inner)


def method_of(config):
    request = getattr(MESSAGES, config.request_type_name)
    by_name = {field.name: field for field in request.all_fields()}
    parameters = {}
    for name in list(config.path_params) + list(config.query_params):
        field = by_name[name]
        json_key = json_name(request, field)
        parameter = parameters[json_key] = schema_of(field)
        parameter["location"] = "path" if name in config.path_params else "query"
        if field.repeated:
            parameter["repeated"] = True
        if name in config.path_params:
            parameter["required"] = True
            if "{+%s}" % name in config.relative_path and config.flat_path:
                parameter["pattern"] = pattern_of(
                    config.flat_path, config.relative_path
                )
    method = {
        "id": config.method_id,
        "httpMethod": config.http_method,
        "path": config.relative_path,
        "parameters": parameters,
        "parameterOrder": list(config.ordered_params),
    }
    if config.flat_path:
        method["flatPath"] = config.flat_path
    body = None
    if config.request_field == "<request>":
        body = request
    elif config.request_field:
        body = by_name[config.request_field].type
    for key, message in (
        ("request", body),
        ("response", getattr(MESSAGES, config.response_type_name)),
    ):
        if message is not None:
            add_schema(message)
            method[key] = {"$ref": message.__name__}
    return method


(client_class,) = [
    value
    for value in vars(CLIENTS).values()
    if isinstance(value, type) and hasattr(value, "_CLIENT_CLASS_NAME")
]
document = {
    "kind": "discovery#restDescription",
    "id": "%s:%s" % (NAME, VERSION),
    "name": NAME,
    "version": VERSION,
    "title": client_class._CLIENT_CLASS_NAME,
    "description": client_class.__doc__,
    "protocol": "rest",
    "rootUrl": client_class.BASE_URL,
    "servicePath": "",
    "batchPath": "batch",
    "parameters": {
        name: {"type": "string", "location": "query"}
        for name in ("alt", "fields", "key", "quotaUser", "access_token")
    },
    "resources": {},
    "schemas": schemas,
}
for service in vars(client_class).values():
    for member in vars(service).values() if isinstance(service, type) else ():
        if not hasattr(member, "method_config"):
            continue
        method = method_of(member.method_config())
        *names, name = method["id"].split(".")[1:]
        owner = document
        for resource in names:
            owner = owner.setdefault("resources", {}).setdefault(resource, {})
        owner.setdefault("methods", {})[name] = method
print(json.dumps(document))
