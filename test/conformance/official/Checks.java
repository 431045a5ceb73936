import com.google.api.client.googleapis.batch.BatchRequest;
import com.google.api.client.googleapis.batch.json.JsonBatchCallback;
import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.googleapis.media.MediaHttpUploader;
import com.google.api.client.googleapis.services.json.AbstractGoogleJsonClient;
import com.google.api.client.googleapis.services.json.AbstractGoogleJsonClientRequest;
import com.google.api.client.http.AbstractInputStreamContent;
import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.InputStreamContent;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.GenericJson;
import com.google.api.client.json.gson.GsonFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Drives the server of java.test.ts with Google's client of Java, whose requests
 * have bodies in gzip unless it is told otherwise.
 *
 * Usage: java Checks.java ROOT_URL. Prints a line for each check: "ok NAME", or
 * "failed NAME: WHY".
 */
public class Checks {
  static final int CHUNK = MediaHttpUploader.MINIMUM_CHUNK_SIZE;
  static final byte[] TEXT = "\r\n--\r\n--boundary--\r\n\r\n\0 naïve".getBytes();
  static Client client;

  interface Check {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    client = new Client(new Builder(args[0]));
    check("a bucket is made with a body in gzip", () -> {
      GenericJson made = call("POST", "b?project=p", json("name", "java")).execute();
      equal("java", made.get("name"));
    });
    check("an int64 that is a number", () -> {
      GenericJson rule = json("period", "x");
      rule.put("retentionPeriod", 86400L);
      GenericJson body = json("name", "numbers");
      body.remove("period");
      body.put("retentionPolicy", rule);
      rule.remove("period");
      equal("numbers", call("POST", "b?project=p", body).execute().get("name"));
    });
    check("a failure is told with its status and reason", () -> {
      GoogleJsonError error = refused(call("GET", "b/none", null));
      equal(404, error.getCode());
      equal("notFound", error.getErrors().get(0).getReason());
    });
    check("a multipart upload in gzip", () -> {
      GenericJson made = upload("direct", new ByteArrayContent("text/plain", TEXT), true, true).execute();
      equal(String.valueOf(TEXT.length), made.get("size"));
      equal("text/plain", made.get("contentType"));
      same(TEXT, download("direct", 0));
    });
    check("a multipart upload that is not packed", () -> {
      upload("plain", new ByteArrayContent("text/plain", TEXT), true, false).execute();
      same(TEXT, download("plain", 0));
    });
    check("a resumable upload in chunks", () -> {
      byte[] large = large();
      AbstractInputStreamContent content = new ByteArrayContent("image/png", large);
      upload("large", content, false, true).execute();
      same(large, download("large", 0));
    });
    check("a resumable upload of unknown length", () -> {
      byte[] large = large();
      AbstractInputStreamContent content =
          new InputStreamContent("image/png", new ByteArrayInputStream(large));
      upload("stream", content, false, true).execute();
      same(large, download("stream", CHUNK));
    });
    check("an upload that is refused, and the next call on its connection", () -> {
      Call refused = upload("x", new ByteArrayContent("text/plain", large()), true, false);
      refused.set("ifGenerationMatch", "1");
      equal(412, refused(refused).getCode());
      equal("java", call("GET", "b/java", null).execute().get("name"));
    });
    check("a GET whose URL is too long is sent as a form in gzip", () -> {
      Call list = call("GET", "b/java/o", null);
      list.set("prefix", "x".repeat(3000));
      equal(List.of(), list.execute().get("items"));
    });
    check("a batch", () -> {
      List<String> told = new ArrayList<>();
      BatchRequest batch = client.batch();
      for (String name : new String[] {"direct", "none", "large"})
        call("GET", "b/java/o/" + name, null).queue(batch, new JsonBatchCallback<GenericJson>() {
          public void onSuccess(GenericJson value, HttpHeaders headers) {
            told.add((String) value.get("name"));
          }

          public void onFailure(GoogleJsonError error, HttpHeaders headers) {
            told.add(String.valueOf(error.getCode()));
          }
        });
      batch.execute();
      equal(List.of("direct", "404", "large"), told);
    });
    check("an object is changed, copied and deleted", () -> {
      equal("b/c", call("PATCH", "b/java/o/direct", json("contentType", "b/c")).execute().get("contentType"));
      call("POST", "b/java/o/direct/copyTo/b/java/o/copied", new GenericJson()).execute();
      same(TEXT, download("copied", 0));
      call("DELETE", "b/java/o/copied", null).execute();
      equal(404, refused(call("GET", "b/java/o/copied", null)).getCode());
    });
    System.exit(0);
  }

  static void check(String name, Check check) {
    try {
      check.run();
      System.out.println("ok " + name);
    } catch (Throwable error) {
      System.out.println("failed " + name + ": " + String.valueOf(error).replaceAll("\\s+", " "));
    }
  }

  static void equal(Object expected, Object got) {
    if (expected == null ? got != null : !expected.equals(got))
      throw new AssertionError("expected " + expected + ", got " + got);
  }

  static void same(byte[] expected, byte[] got) {
    if (!Arrays.equals(expected, got)) throw new AssertionError("other bytes: " + got.length);
  }

  static byte[] large() {
    byte[] bytes = new byte[2 * CHUNK + 999];
    for (int at = 0; at < bytes.length; at++) bytes[at] = (byte) (7 * at);
    return bytes;
  }

  static GenericJson json(String name, Object value) {
    GenericJson json = new GenericJson();
    json.setFactory(GsonFactory.getDefaultInstance());
    json.put(name, value);
    return json;
  }

  static GoogleJsonError refused(Call call) throws Exception {
    try {
      call.execute();
    } catch (GoogleJsonResponseException error) {
      return error.getDetails();
    }
    throw new AssertionError("expected a failure");
  }

  static Call call(String method, String path, Object body) {
    return new Call(method, path, body);
  }

  static Call upload(String name, AbstractInputStreamContent content, boolean isDirect, boolean isPacked) {
    Call call = new Call("POST", "/upload/storage/v1/b/java/o", json("name", name));
    call.upload(content);
    call.getMediaHttpUploader().setDirectUploadEnabled(isDirect).setChunkSize(CHUNK);
    call.setDisableGZipContent(!isPacked);
    return call;
  }

  static byte[] download(String name, int chunk) throws Exception {
    Call call = new Call("GET", "b/java/o/" + name, null);
    call.download();
    if (chunk == 0) call.getMediaHttpDownloader().setDirectDownloadEnabled(true);
    else call.getMediaHttpDownloader().setChunkSize(chunk);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    call.writeTo(bytes);
    return bytes.toByteArray();
  }

  static class Builder extends AbstractGoogleJsonClient.Builder {
    Builder(String root) {
      super(new NetHttpTransport(), GsonFactory.getDefaultInstance(), root, "storage/v1/", null, false);
      setApplicationName("checks");
      setBatchPath("batch/storage/v1");
    }

    @Override
    public Client build() {
      return new Client(this);
    }
  }

  static class Client extends AbstractGoogleJsonClient {
    Client(Builder builder) {
      super(builder);
    }
  }

  static class Call extends AbstractGoogleJsonClientRequest<GenericJson> {
    Call(String method, String path, Object body) {
      super(client, method, path, body, GenericJson.class);
    }

    void upload(AbstractInputStreamContent content) {
      initializeMediaUpload(content);
    }

    void writeTo(ByteArrayOutputStream bytes) throws Exception {
      executeMediaAndDownloadTo(bytes);
    }

    void download() {
      initializeMediaDownload();
    }
  }
}
