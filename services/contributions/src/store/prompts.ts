import type { CallContext, Site } from '@knowledge/runtime';
import { idRange, KnowledgeError, type Page, type PageQuery, toPage } from '@knowledge/runtime';
import { abortable, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, Filter, MongoClient } from 'mongodb';
import { dueAt, isSamePrompt, type Prompt, type PromptState } from '../domain/prompt.js';
import { advanceSchedule } from '../domain/prompt-schedule.js';
import { createTurns } from '../domain/turns.js';
import { type PromptDocument, type SiteDocument, store } from './documents.js';
import { fallingAfter } from './keyset.js';

/** The prompts. Every read and every change first applies what the clock has done, so that time counts at once. */
export interface PromptStore {
  /** Makes a prompt by a rule; one that exists under the id is given as it stands. */
  create(prompt: Prompt, decide: DecidePrompt, call: CallContext): Promise<Prompt>;
  /** Decides on a prompt as it is, and stores what the rule changes, in one transaction. It may decide more than once. */
  change(id: string, decide: DecidePrompt, call: CallContext): Promise<Prompt>;
  /** One prompt; undefined if there is none. */
  get(id: string, call: CallContext): Promise<Prompt | undefined>;
  /** The active prompt of a site. */
  active(site: Site, call: CallContext): Promise<Prompt | undefined>;
  /** Those that readers saw or see: the active one, then the closed ones, newest first. */
  listPublic(site: Site, page: PageQuery, call: CallContext): Promise<Page<Prompt>>;
  /** All, newest first. */
  list(
    filter: { site: Site | undefined; state: PromptState | undefined; idPrefix?: string | undefined },
    page: PageQuery,
    call: CallContext,
  ): Promise<Page<Prompt>>;
  /** Applies what the clock has done; gives how many sites had something due. */
  advance(call: CallContext): Promise<number>;
}

/** A rule: what changes, for a prompt and the one that is active on its site. */
type DecidePrompt = (prompt: Prompt, active: Prompt | undefined) => readonly Prompt[];

/** What a change of a site's prompts sees and decides. */
interface Change {
  write: readonly Prompt[];
  result: Prompt;
}

/** Decides over the prompts of a site that are not closed. */
type Decide = (open: readonly Prompt[], scope: TransactionScope) => Promise<Change>;

/** The prompts in MongoDB. `changed` is told after every write, so that the log follows at once. */
export function createPromptStore(client: MongoClient, db: Db, changed: () => void): PromptStore {
  const prompts = db.collection<PromptDocument>('prompts');
  const sites = db.collection<SiteDocument>('sites');

  const turns = createTurns();

  /** One transaction that all changes of a site's prompts go through, one after the other. */
  async function change(site: Site, call: CallContext, decide?: Decide): Promise<Prompt | undefined> {
    const result = await turns.take(site, call.signal, () => transact(site, call, decide));
    changed();
    return result;
  }

  async function transact(site: Site, { now, signal }: CallContext, decide?: Decide): Promise<Prompt | undefined> {
    // Outside, since two first upserts of one key inside transactions would refuse one of them.
    await sites.updateOne(
      { _id: site },
      { $setOnInsert: { promptChanges: 0 } },
      { ...abortable(signal), upsert: true },
    );
    return withTransaction(
      client,
      async (scope) => {
        await sites.updateOne({ _id: site }, { $inc: { promptChanges: 1 } }, scope);
        const found = await prompts.find({ site, state: { $in: ['scheduled', 'active'] } }, scope).toArray();
        const before = found.map(toPrompt);
        const byClock = advanceSchedule(before, now);
        const decided = await decide?.(merge(before, byClock), scope);
        for (const prompt of merge(byClock, decided?.write ?? [])) {
          await prompts.replaceOne({ _id: prompt.id }, toDocument(prompt), { ...scope, upsert: true });
        }
        return decided?.result;
      },
      { signal },
    );
  }

  /** A change of one prompt that exists. */
  async function changeOne(id: string, decide: DecidePrompt, call: CallContext): Promise<Prompt> {
    const known = await prompts.findOne({ _id: id }, { signal: call.signal, projection: { site: 1 } });
    if (known === null) throw new KnowledgeError('not_found', 'There is no prompt with this id.');
    const result = await change(known.site, call, async (open, scope) => {
      const prompt = open.find((each) => each.id === id) ?? (await find(id, scope));
      if (prompt === undefined) throw new KnowledgeError('not_found', 'There is no prompt with this id.');
      const write = decide(prompt, activeOf(open));
      return { write, result: write.find((each) => each.id === id) ?? prompt };
    });
    if (result === undefined) throw new Error('A change of a prompt has no result.');
    return result;
  }

  async function find(id: string, scope: TransactionScope): Promise<Prompt | undefined> {
    const document = await prompts.findOne({ _id: id }, scope);
    return document === null ? undefined : toPrompt(document);
  }

  /** Reads, and reads again if the clock had something to do first. */
  async function readAdvanced<T>(call: CallContext, read: () => Promise<T>): Promise<T> {
    const [result, due] = await Promise.all([read(), sitesDue(call)]);
    if (due.length === 0) return result;
    for (const site of due) await advanceSite(site, call);
    return read();
  }

  /** Of many that see the same prompt due, the first advances the site. */
  async function advanceSite(site: Site, call: CallContext): Promise<void> {
    await turns.take(site, call.signal, async () => {
      if ((await sitesDue(call)).includes(site)) await transact(site, call);
    });
    changed();
  }

  async function sitesDue({ signal, now }: CallContext): Promise<Site[]> {
    const options = { signal, projection: { site: 1 } };
    const due = await prompts.find({ dueAt: { $type: 'date', $lte: now } }, options).toArray();
    return [...new Set(due.map(({ site }) => site))];
  }

  async function page(
    filter: Filter<PromptDocument>,
    order: 'createdAt' | 'openedAt',
    { size, after }: PageQuery,
    { signal }: CallContext,
  ): Promise<Page<Prompt>> {
    const found = await prompts
      .find({ $and: [filter, fallingAfter(order, after)] }, { signal })
      .sort({ [order]: -1, _id: -1 })
      .limit(size + 1)
      .toArray();
    return toPage(found.map(toPrompt), size, (prompt) => ({ at: prompt[order] ?? prompt.createdAt, id: prompt.id }));
  }

  return {
    async create(made, decide, call) {
      const result = await change(made.site, call, async (open, scope) => {
        const existing = open.find(({ id }) => id === made.id) ?? (await find(made.id, scope));
        if (existing !== undefined) {
          if (!isSamePrompt(existing, made)) {
            throw new KnowledgeError('validation_error', 'id is that of another prompt; take a fresh one.');
          }
          return { write: [], result: existing };
        }
        const write = decide(made, activeOf(open));
        return { write, result: write.find((each) => each.id === made.id) ?? made };
      });
      return result ?? made;
    },
    change: changeOne,
    get: (id, call) =>
      readAdvanced(call, async () => {
        const document = await prompts.findOne({ _id: id }, { signal: call.signal });
        return document === null ? undefined : toPrompt(document);
      }),
    active: (site, call) =>
      readAdvanced(call, async () => {
        const document = await prompts.findOne({ site, state: 'active' }, { signal: call.signal });
        return document === null ? undefined : toPrompt(document);
      }),
    listPublic: (site, query, call) =>
      readAdvanced(call, () => page({ site, openedAt: { $type: 'date' } }, 'openedAt', query, call)),
    list: ({ site, state, idPrefix }, query, call) => {
      const filter = { ...(site && { site }), ...(state && { state }), ...(idPrefix && { _id: idRange(idPrefix) }) };
      return readAdvanced(call, () => page(filter, 'createdAt', query, call));
    },
    async advance(call) {
      const due = await sitesDue(call);
      for (const site of due) await advanceSite(site, call);
      return due.length;
    },
  };
}

function activeOf(open: readonly Prompt[]): Prompt | undefined {
  return open.find((prompt) => prompt.state === 'active');
}

function merge(base: readonly Prompt[], newer: readonly Prompt[]): Prompt[] {
  const all = new Map(base.map((prompt) => [prompt.id, prompt]));
  for (const prompt of newer) all.set(prompt.id, prompt);
  return [...all.values()];
}

function toDocument(prompt: Prompt): PromptDocument {
  return { ...store(prompt), dueAt: dueAt(prompt), logSince: prompt.history.at(-1)?.at ?? prompt.createdAt };
}

function toPrompt({ _id, dueAt: _dueAt, logSince: _logSince, ...rest }: PromptDocument): Prompt {
  return { id: _id, ...rest };
}
