import type { AddCommands } from './command-handler.js';
import { confirm } from './confirm.js';
import { type ListPage, readListPages } from './connection/list-pages.js';
import { forEachNamed, type ViewFormat } from './for-each-named.js';
import { addExamples } from './global-options.js';
import { resolveIds } from './ids.js';
import type { Paint } from './print/paint.js';
import type { Column } from './print/table.js';
import type { Session } from './session.js';
import { addTakes, type Given, readGiven, type Takes } from './takes.js';

/** What the entry of every command says. Its `run` does the work. */
interface Entry<T extends Takes> {
  /** Absent for a command that stands directly after `knowledge`, since `top-commands.ts` describes it. */
  readonly about?: string;
  readonly takes?: T;
  /** Connects to a service before all else, so that a missing address is the first fault that is reported. */
  readonly calls?: (session: Session) => unknown;
  /** Finds the ids that the words of the first argument mean. */
  readonly find?: (session: Session, word: string) => Promise<string>;
  /** What the user is asked before anything is done. */
  readonly question?: (given: Given<T>) => string;
  /** What is shown above the question. */
  readonly preview?: (session: Session, given: Given<T>) => Promise<string>;
  readonly examples: readonly string[];
}

type None = Readonly<Record<never, never>>;

/** A command that prints what it wants. `run` may return an exit code. */
export function command<const T extends Takes = None>(
  entry: Entry<T> & { run: (session: Session, given: Given<T>) => Promise<unknown> },
): AddCommands {
  return entryOf(entry, entry.run);
}

/** A command that prints one result. */
export function result<View extends object, const T extends Takes = None>(
  entry: Entry<T> & {
    run: (session: Session, given: Given<T>) => Promise<View>;
    text: (view: View, paint: Paint, given: Given<T>) => string;
  },
): AddCommands {
  return entryOf(entry, async (session, given) => {
    const view = await entry.run(session, given);
    session.print.result(view, (shown, paint) => entry.text(shown, paint, given));
  });
}

/** A command that does the same with each word of its first argument, and prints the results. */
export function eachNamed<View extends object, const T extends Takes = None>(
  entry: Entry<T> & ViewFormat<View> & { run: (session: Session, word: string, given: Given<T>) => Promise<View> },
): AddCommands {
  return entryOf({ find: async (_, word) => word, ...entry }, (session, given, words) =>
    forEachNamed(session, words, (word) => entry.run(session, word, given), entry),
  );
}

/** A command that prints a list, which it reads page by page. The option `--limit` ends it. */
export function list<View, const T extends Takes = None>(
  entry: Entry<T> & {
    run: (session: Session, given: Given<T>, page: { pageSize: number; pageToken: string }) => Promise<ListPage<View>>;
    columns: readonly Column<View>[];
    /** What an item is called. */
    one: string;
    none?: (given: Given<T>) => string;
  },
): AddCommands {
  return entryOf(entry, async (session, given) => {
    const { limit } = given as { limit?: number };
    const read = (pageSize: number, pageToken: string) => entry.run(session, given, { pageSize, pageToken });
    const { items, cut } = await readListPages(limit, session.print, read);
    const none = entry.none?.(given) ?? `No ${entry.one}s.`;
    session.print.list(items, entry.columns, { one: entry.one, none, cut });
  });
}

/** The commands below a word, such as `token`, in the order of the help. */
export function group(entry: {
  readonly about?: string;
  readonly commands: Readonly<Record<string, AddCommands>>;
  readonly examples: readonly string[];
}): AddCommands {
  return (parent, handle) => {
    if (entry.about !== undefined) parent.description(entry.about);
    for (const [name, add] of Object.entries(entry.commands)) add(parent.command(name), handle);
    addExamples(parent, ...entry.examples);
  };
}

function entryOf<T extends Takes>(
  { about, takes, calls, find, question, preview, examples }: Entry<T>,
  work: (session: Session, given: Given<T>, words: readonly string[]) => Promise<unknown>,
): AddCommands {
  return (parsed, handle) => {
    if (about !== undefined) parsed.description(about);
    addTakes(parsed, takes ?? {});
    parsed.action(
      handle(async (session) => {
        calls?.(session);
        const values = readGiven(parsed);
        const name = parsed.registeredArguments[0]?.name() ?? '';
        const words = find && (await resolveIds([values[name]].flat().map(String), (word) => find(session, word)));
        if (words !== undefined) values[name] = Array.isArray(values[name]) ? words : words[0];
        const given = values as Given<T>;
        if (question !== undefined) await confirm(session, question(given), preview && (() => preview(session, given)));
        return work(session, given, words ?? []);
      }),
    );
    addExamples(parsed, ...examples);
  };
}
