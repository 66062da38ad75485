// Reads feeds with parsers that share no code with the ones in Go: each line of the input is one
// feed, {"format", "body"}, and each line of the output its dates, {"dates": [{"id", "name",
// "status", "place", "start", "local", "changed"}]}, or {"error"}. Moments are in UTC but for "local".
import { createInterface } from "node:readline";

import { check } from "@placemarkio/check-geojson";
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import ICAL from "ical.js";
import jsonld from "jsonld";

const id = (text) => text.replace(/^urn:uuid:/, "");
// A date with opening hours is a series of events for each time of opening, whose uids begin with its
// uuid. Their starts are those of openings.
const uuidLength = 36;
const instant = (text) => (text?.includes("T") ? new Date(text).toISOString() : text);

const readers = {
  ics(body) {
    const calendar = new ICAL.Component(ICAL.parse(body));
    for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
    const dates = calendar.getAllSubcomponents("vevent").map((component) => {
      const event = new ICAL.Event(component);
      const { startDate } = event;
      const isOpening = event.uid.length > uuidLength;
      return {
        id: event.uid.slice(0, uuidLength),
        name: event.summary,
        status: component.getFirstPropertyValue("status"),
        place: event.location,
        start: isOpening ? undefined : startDate.isDate ? startDate.toString() : instant(startDate.toJSDate().toISOString()),
        changed: instant(component.getFirstPropertyValue("last-modified").toJSDate().toISOString()),
      };
    });
    ICAL.TimezoneService.reset();
    return dates.filter((date, i) => date.id !== dates[i - 1]?.id);
  },
  rss: (body) => parseRssFeed(body).items?.map((i) => ({ id: id(i.guid.value), name: i.title, changed: instant(i.atom?.updated) })) ?? [],
  atom: (body) => parseAtomFeed(body).entries?.map((i) => ({ id: id(i.id), name: i.title.value, changed: instant(i.updated) })) ?? [],
  json: (body) => parseJsonFeed(body).items?.map((i) => ({ id: id(i.id), name: i.title, changed: instant(i.date_modified) })) ?? [],
  geojson: (body) =>
    check(body).features.map(({ id, properties: p }) => ({
      id,
      name: p.title,
      status: p.release_status,
      place: p.venue_name,
      local: `${p.start_date} ${p.start_time}`,
    })),
  async jsonld(body) {
    const context = { "@context": { "@vocab": "https://schema.org/" } };
    const documentLoader = async (url) => ({ contextUrl: null, documentUrl: url, document: context });
    const nodes = await jsonld.expand(JSON.parse(body), { documentLoader });
    const value = (node, name) => node[`https://schema.org/${name}`]?.[0]["@value"];
    return nodes.map((node) => ({
      id: value(node, "identifier"),
      name: value(node, "name"),
      status: value(node, "eventStatus"),
      place: node["https://schema.org/location"]?.map((place) => value(place, "name")).join(),
      start: instant(value(node, "startDate")),
      changed: instant(value(node, "dateModified")),
    }));
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { format, body } = JSON.parse(line);
  let answer;
  try {
    answer = { dates: await readers[format](body) };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
