import { google, youtube_v3 } from "googleapis";

const youtube = google.youtube({ version: "v3", auth: process.env.API_KEY });

async function fetchPlaylist(
  playlistId: string,
): Promise<youtube_v3.Schema$PlaylistItem[]> {
  const items: youtube_v3.Schema$PlaylistItem[] = [];
  let nextPageToken: string | null | undefined = undefined;
  let first = true;
  while (first || nextPageToken) {
    first = false;
    const response: any = await youtube.playlistItems.list({
      part: ["snippet", "contentDetails"],
      playlistId,
      maxResults: 50,
      pageToken: nextPageToken ?? undefined,
    });
    items.push(...response.data.items);
    nextPageToken = response.data.nextPageToken;
  }
  return items;
}

async function commentThreads(videoId: string, limit: number) {
  let pageToken: string | undefined;
  const comments: (string | null | undefined)[] = [];
  while (true) {
    const { data } = await youtube.commentThreads.list({
      part: ["snippet"],
      videoId,
      pageToken,
      maxResults: 100,
      textFormat: "plainText",
    });
    for (const item of data.items || []) comments.push(item.id);
    if (!data.nextPageToken || comments.length >= limit) break;
    pageToken = data.nextPageToken;
  }
  return comments;
}

(async () => {
  const list = await fetchPlaylist("PL1");
  console.log(list.length, list.map((i) => i.id).join());
  console.log(await commentThreads("v1", 10));
})();
