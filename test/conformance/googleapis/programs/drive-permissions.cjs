const { google } = require("googleapis");

async function shareFile(fileId, targetUserEmail, targetDomainName) {
  const service = google.drive({ version: "v3", auth: process.env.API_KEY });
  const permissionIds = [];
  const permissions = [
    { type: "user", role: "writer", emailAddress: targetUserEmail },
    { type: "domain", role: "writer", domain: targetDomainName },
  ];
  for (const permission of permissions) {
    try {
      const result = await service.permissions.create({
        resource: permission,
        fileId: fileId,
        fields: "id",
        sendNotificationEmail: false,
      });
      permissionIds.push(result.data.id);
      console.log(`Inserted permission id: ${result.data.id}`);
    } catch (err) {
      console.error(err);
    }
  }
  return permissionIds;
}

shareFile("a", "user@example.com", "example.com").then((ids) =>
  console.log(ids.length),
);
