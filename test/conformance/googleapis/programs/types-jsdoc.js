// @ts-check
import { google } from "googleapis";

/**
 * @typedef {import("googleapis").drive_v3.Schema$File} DriveFile
 * @typedef {{ readonly drive: import("googleapis").drive_v3.Drive }} Context
 */

/**
 * Lists the folders of a user.
 * @param {Context} context
 * @param {import("googleapis").drive_v3.Params$Resource$Files$List} [params]
 * @returns {Promise<DriveFile[]>}
 */
async function listFolders({ drive }, params = {}) {
  const response = await drive.files.list({
    q: "mimeType = 'application/vnd.google-apps.folder'",
    ...params,
  });
  return response.data.files ?? [];
}

/** @type {Context} */
const context = { drive: google.drive({ version: "v3", auth: "key" }) };
const folders = await listFolders(context, { pageSize: 5 });
/** @param {DriveFile} file */
const print = (file) => console.log(file.name);
folders.forEach(print);
