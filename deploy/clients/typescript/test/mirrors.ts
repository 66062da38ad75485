// Keeps copies of what filters find, and answers each line of the standard input with a line that has all of them. The
// first line lists the filters; one that is `careless` has a copy that overlooks what leaves.
import { createInterface } from "node:readline";
import { type Change, type Entered, Litfass, MemoryStore, type MirrorQuery, type MirroredKind } from "litfass";

interface Asked {
  query: MirrorQuery<MirroredKind>;
  careless: boolean;
  poll: boolean;
}

class CarelessStore extends MemoryStore<MirroredKind> {
  override apply(changes: Change<MirroredKind>[], position: string): void {
    super.apply(
      changes.filter(({ change }) => change !== "left"),
      position,
    );
  }
}

class CountingStore extends MemoryStore<MirroredKind> {
  fills = 0;

  override replace(pages: AsyncIterable<Entered<MirroredKind>[]>, position: string): Promise<void> {
    this.fills++;
    return super.replace(pages, position);
  }
}

const client = new Litfass(process.env["BASE"] ?? "");
const harmless = new Litfass(process.env["HARMLESS"] ?? "");
const controller = new AbortController();
let stores: (CarelessStore | CountingStore)[] | undefined;

for await (const line of createInterface({ input: process.stdin })) {
  if (stores === undefined) {
    stores = (JSON.parse(line) as Asked[]).map(({ query, careless, poll }) => {
      const store = careless ? new CarelessStore() : new CountingStore();
      void (careless ? harmless : client)
        .mirror(store, query, { poll, signal: controller.signal })
        .catch((error: unknown) => {
          if (!controller.signal.aborted) {
            console.error(error);
            process.exit(1);
          }
        });
      return store;
    });
  }
  const copies = stores.map((store) => ({
    fills: store instanceof CountingStore ? store.fills : 0,
    entries: Object.fromEntries(
      [...store.entries].map(([uuid, { date_count, entry }]) => [uuid, { date_count, entry }]),
    ),
  }));
  console.log(JSON.stringify(copies));
}
controller.abort();
