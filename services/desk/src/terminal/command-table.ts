import { KnowledgeError } from '@knowledge/runtime/client';
import type { Command } from 'commander';
import { concernsOneThing, DeskError, PartialFailure, type Refusal } from '../base/desk-error.js';
import { resolveIds } from '../base/ids.js';
import type { Session } from '../base/session.js';
import type { Columns } from '../base/table.js';
import type { Paint } from '../base/text.js';
import { confirm } from './ask.js';
import { addExamples } from './desk-command.js';
import { addTakes, type Given, readGiven, type Takes } from './options.js';

/** What the entry of every command says. Its `run` does the work. */
interface Entry<T extends Takes> {
  /** Absent for a command that stands directly after `knowledge`, since `cli.ts` describes it. */
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
export function list<View, Page extends ListPage, const T extends Takes = None>(
  entry: Entry<T> & {
    run: (session: Session, given: Given<T>, page: PageRequest) => Promise<Page>;
    items: (page: Page) => readonly View[];
    columns: Columns<View>;
    /** What an item is called. */
    one: string;
    none?: (given: Given<T>) => string;
  },
): AddCommands {
  return entryOf(entry, async (session, given) => {
    const read = (page: PageRequest) => entry.run(session, given, page);
    const { items, cut } = await readListPages(session, read, entry.items, given as { limit?: number });
    session.print.list(items, entry.columns, { one: entry.one, none: entry.none?.(given), cut });
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

/** Wraps the work of a command: opens its session, reports a failure and closes it. Work may return an exit code. */
export type CommandHandler = (work: (session: Session) => Promise<unknown>) => (...args: unknown[]) => Promise<void>;

/** Adds subcommands, options and the action to a command that has only its name and description. */
export type AddCommands = (command: Command, handle: CommandHandler) => void;

/** The text form of the results. */
interface ViewFormat<View> {
  text(view: View, paint: Paint): string;
  /** The text between two results; a line break by default. */
  readonly between?: string;
}

/**
 * Runs `work` for each name, one after the other, and prints the results. The JSON is an object for one name, and an
 * array for several. A refusal of one name does not stop the others.
 *
 * @throws PartialFailure with all refusals, after printing the other results; for a single name the error itself.
 */
export async function forEachNamed<View extends object>(
  session: Session,
  words: readonly string[],
  work: (word: string) => Promise<View>,
  { text, between = '\n' }: ViewFormat<View>,
): Promise<void> {
  const [only] = words;
  if (words.length === 1 && only !== undefined) {
    session.print.result(await work(only), text);
    return;
  }
  const views: View[] = [];
  const refusals: Refusal[] = [];
  for (const [at, word] of words.entries()) {
    try {
      views.push(await work(word));
    } catch (error) {
      refusals.push({ name: word, error });
      if (error instanceof KnowledgeError && concernsOneThing(error.code)) continue;
      refusals.push(...words.slice(at + 1).map((name) => ({ name, error: new DeskError('cancelled', 'Not tried.') })));
      break;
    }
  }
  if (views.length > 0) session.print.result(views, (all, paint) => all.map((each) => text(each, paint)).join(between));
  if (refusals.length > 0) throw new PartialFailure(refusals);
}

/** Which page of a list a call asks for. */
interface PageRequest {
  readonly pageSize: number;
  readonly pageToken: string;
}

interface ListPage {
  readonly nextPageToken: string;
}

/** Reads all pages of a list, or the first `limit` items. Prints a note if the list has more items, and says so: `cut`. */
export async function readListPages<Page extends ListPage, Item>(
  { print }: Pick<Session, 'print'>,
  read: (page: PageRequest) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
  { limit, maxPageSize = 200 }: { readonly limit?: number | undefined; readonly maxPageSize?: number } = {},
): Promise<{ readonly items: Item[]; readonly cut: boolean }> {
  const items: Item[] = [];
  let pageToken = '';
  do {
    const pageSize = limit === undefined ? maxPageSize : Math.min(maxPageSize, limit - items.length);
    const page = await read({ pageSize, pageToken });
    items.push(...itemsOf(page));
    pageToken = page.nextPageToken;
  } while (pageToken !== '' && (limit === undefined || items.length < limit));
  if (pageToken !== '') print.note(`The first ${items.length}; there are more. Give a larger --limit.`);
  return { items, cut: pageToken !== '' };
}
