// Verifies the notification that the standard input has, {"headers": …, "body": …}, by the secrets of the arguments.
import { text } from "node:stream/consumers";
import { verifyWebhook } from "litfass";

const { headers, body } = JSON.parse(await text(process.stdin)) as { headers: Record<string, string>; body: string };
const notification = await verifyWebhook(process.argv.slice(2), headers, body);
console.log(notification.type, notification.data.uuid);
