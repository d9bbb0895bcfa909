import {
  type CallContext,
  idRange,
  KnowledgeError,
  type ListPageQuery,
  refuse,
  type Site,
  sites,
} from '@knowledge/runtime';
import {
  abortable,
  type CollectionDeclaration,
  date,
  dateOrNull,
  listPage,
  number,
  objectOf,
  type TransactionScope,
  text,
  timesIndex,
  withTransaction,
} from '@knowledge/runtime/mongodb';
import { historySchema, logIndex } from '@knowledge/runtime/transition-log';
import type { Abortable, Db, Filter, MongoClient } from 'mongodb';
import { createKeyedQueue } from '../base/keyed-queue.js';
import { advanceSchedule, dueAt, isSamePrompt, type Prompt, type PromptState } from './domain.js';

/** A stored prompt, with fields for the queries of workers. */
export type PromptDocument = Omit<Prompt, 'id'> & {
  _id: string;
  /** The next time when the schedule changes the prompt. */
  dueAt: Date | null;
  /** Set while the transition log may lack transitions of this document; the value is the time of the oldest one. */
  logSince?: Date;
};

/** Every change of a site's prompts writes this document, so that parallel changes wait for each other. */
interface SiteDocument {
  _id: Site;
  promptChanges: number;
}

/** A rule that returns the prompts to store, from a prompt and the active one of its site. */
type DecidePrompt<Known = Prompt> = (prompt: Known, active: Prompt | undefined) => readonly Prompt[];

/** A rule that returns the prompts to store, from all prompts of a site that are not closed. */
type DecideSite = (open: readonly Prompt[], scope: TransactionScope) => Promise<readonly Prompt[]>;

/**
 * Stores prompts. Every read and change first applies the schedule, so that prompts open and close at their times. It
 * calls `changed` after every write, so that the log continues at once.
 */
export function createPromptStore(client: MongoClient, db: Db, changed: () => void) {
  const prompts = db.collection<PromptDocument>('prompts');
  const sites = db.collection<SiteDocument>('sites');

  const queue = createKeyedQueue();

  /** Changes the prompts of a site. Changes run one after the other, each in a transaction. */
  async function change(site: Site, call: CallContext, decide: DecideSite) {
    await queue.run(site, call.signal, () => transact(site, call, decide));
    changed();
  }

  async function transact(site: Site, { now, signal }: CallContext, decide: DecideSite = async () => []) {
    // Runs before the transaction, because two parallel upserts in transactions would conflict.
    await sites.updateOne(
      { _id: site },
      { $setOnInsert: { promptChanges: 0 } },
      { ...abortable(signal), upsert: true },
    );
    await withTransaction(
      client,
      async (scope) => {
        await sites.updateOne({ _id: site }, { $inc: { promptChanges: 1 } }, scope);
        const found = await prompts.find({ site, state: { $in: ['scheduled', 'active'] } }, scope).toArray();
        const before = found.map(toPrompt);
        const byClock = advanceSchedule(before, now);
        const decided = await decide(merge(before, byClock), scope);
        for (const prompt of merge(byClock, decided)) {
          await prompts.replaceOne({ _id: prompt.id }, toDocument(prompt), { ...scope, upsert: true });
        }
      },
      { signal },
    );
  }

  /** Applies a rule to the prompt with an id, if there is one, and returns what became of it. */
  async function apply(site: Site, id: string, decide: DecidePrompt<Prompt | undefined>, call: CallContext) {
    let result: Prompt | undefined;
    await change(site, call, async (open, scope) => {
      const stored = open.find((each) => each.id === id) ?? (await find({ _id: id }, scope));
      const write = decide(
        stored,
        open.find(({ state }) => state === 'active'),
      );
      result = write.find((each) => each.id === id) ?? stored;
      return write;
    });
    return result ?? missing();
  }

  async function find(filter: Filter<PromptDocument>, options: Abortable): Promise<Prompt | undefined> {
    const document = await prompts.findOne(filter, options);
    return document === null ? undefined : toPrompt(document);
  }

  /** Reads prompts once the schedule is applied. Read beside it, they could be older than what another replica has applied. */
  async function readAdvanced<T>(call: CallContext, read: () => Promise<T>) {
    for (const site of await sitesDue(call)) await advanceSite(site, call);
    return read();
  }

  /** Applies the schedule of a site. Only the first of several parallel reads does this. */
  async function advanceSite(site: Site, call: CallContext) {
    await queue.run(site, call.signal, async () => {
      if ((await sitesDue(call)).includes(site)) await transact(site, call);
    });
    changed();
  }

  async function sitesDue({ signal, now }: CallContext) {
    const options = { signal, projection: { site: 1 } };
    const due = await prompts.find({ dueAt: { $type: 'date', $lte: now } }, options).toArray();
    return [...new Set(due.map(({ site }) => site))];
  }

  const page = (
    filter: Filter<PromptDocument>,
    order: 'createdAt' | 'openedAt',
    query: ListPageQuery,
    call: CallContext,
  ) =>
    readAdvanced(call, () =>
      listPage(prompts, { filter, order: { [order]: -1, _id: -1 }, toItem: toPrompt }, query, { signal: call.signal }),
    );

  return {
    /** Stores a new prompt and the changes of the rule. If the id exists, returns the existing prompt. */
    create: (made: Prompt, decide: DecidePrompt, call: CallContext) =>
      apply(
        made.site,
        made.id,
        (stored, active) => {
          if (stored === undefined) return decide(made, active);
          if (isSamePrompt(stored, made)) return [];
          refuse('Another prompt has this id; send a new one');
        },
        call,
      ),
    /** Applies a rule to a prompt in one transaction. The rule may run more than once. */
    async change(id: string, decide: DecidePrompt, call: CallContext) {
      const { site } = (await find({ _id: id }, { signal: call.signal })) ?? missing();
      return apply(site, id, (prompt = missing(), active) => decide(prompt, active), call);
    },
    /** @throws KnowledgeError `not_found` */
    get: async (id: string, call: CallContext) =>
      (await readAdvanced(call, () => find({ _id: id }, { signal: call.signal }))) ?? missing(),
    active: (site: Site, call: CallContext) =>
      readAdvanced(call, () => find({ site, state: 'active' }, { signal: call.signal })),
    /** Lists the prompts that have opened: first the active one, then the closed ones, newest first. */
    listPublic: (site: Site, query: ListPageQuery, call: CallContext) =>
      page({ site, openedAt: { $type: 'date' } }, 'openedAt', query, call),
    /** Lists prompts for moderators, newest first. */
    list: (
      {
        site,
        state,
        idPrefix,
      }: { site: Site | undefined; state: PromptState | undefined; idPrefix?: string | undefined },
      query: ListPageQuery,
      call: CallContext,
    ) => {
      const filter = { ...(site && { site }), ...(state && { state }), ...(idPrefix && { _id: idRange(idPrefix) }) };
      return page(filter, 'createdAt', query, call);
    },
    /** Applies the schedule. Returns the number of sites with due prompts. */
    async advance(call: CallContext) {
      const due = await sitesDue(call);
      for (const site of due) await advanceSite(site, call);
      return due.length;
    },
    /** The earliest time at which the schedule changes a prompt; undefined if there is none. */
    async nextDue(signal: AbortSignal) {
      const filter = { dueAt: { $type: 'date' } } as const;
      const options = { signal, projection: { _id: 0, dueAt: 1 }, sort: { dueAt: 1 } } as const;
      return (await prompts.findOne(filter, options))?.dueAt ?? undefined;
    },
  };
}

export type PromptStore = ReturnType<typeof createPromptStore>;

function missing(): never {
  throw new KnowledgeError('not_found', 'There is no prompt with this id.');
}

function merge(base: readonly Prompt[], newer: readonly Prompt[]) {
  const all = new Map(base.map((prompt) => [prompt.id, prompt]));
  for (const prompt of newer) all.set(prompt.id, prompt);
  return [...all.values()];
}

function toDocument(prompt: Prompt): PromptDocument {
  const { id: _id, ...rest } = prompt;
  return { _id, ...rest, dueAt: dueAt(prompt), logSince: prompt.history.at(-1)?.at ?? prompt.createdAt };
}

function toPrompt({ _id, dueAt: _dueAt, logSince: _logSince, ...rest }: PromptDocument): Prompt {
  return { id: _id, ...rest };
}

/** The collections of prompts and sites. Parallel changes write the same document of the site. */
export const promptsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'prompts',
    validator: {
      $jsonSchema: objectOf({
        _id: text,
        site: { enum: [...sites] },
        question: { ...text, minLength: 10 },
        state: { enum: ['scheduled', 'active', 'closed'] },
        opensAt: dateOrNull,
        closesAt: dateOrNull,
        openedAt: dateOrNull,
        dueAt: dateOrNull,
        createdAt: date,
        revision: { ...number, minimum: 1 },
        history: historySchema,
      }),
    },
    indexes: [
      { name: 'site_state', key: { site: 1, state: 1 } },
      { name: 'public', key: { site: 1, openedAt: -1, _id: -1 } },
      { name: 'newest', key: { createdAt: -1, _id: -1 } },
      timesIndex('due', 'dueAt'),
      logIndex,
    ],
  },
  { name: 'sites' },
];
