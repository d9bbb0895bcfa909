import { randomUUID } from 'node:crypto';

/** The scope that allows each type of contribution. */
export const scopeOf = {
  inquiry: 'write:inquiry',
  story: 'write:story',
  prompt_reply: 'write:prompt_reply',
} as const;
export type WorkType = keyof typeof scopeOf;

/** A request for access, with the facts that its agent and its human know (gateway/PROTOCOL.md#authorization). */
export interface Access {
  readonly email: string;
  readonly scopes: readonly string[];
  readonly userCode: string;
  readonly deviceCode: string;
  state: 'pending' | 'confirmed' | 'declined' | 'issued' | 'revoked';
  /** The time of the last poll that got "pending". */
  polledAt?: number;
  token?: string;
}

/** A contribution in the model (gateway/PROTOCOL.md#contributions). */
export interface Work {
  readonly id: string;
  /** The authorization that sent the contribution. */
  readonly access: Access;
  readonly type: WorkType;
  /** The exact text of the first response. */
  readonly answer: string;
  state: string;
  revision: number;
}

/** The decisions of moderators, with the states before and after (gateway/PROTOCOL.md#states). */
const reviews = {
  approve: { from: ['pending_review'], path: ['approved'], inquiry: false },
  approveAndPublish: { from: ['pending_review'], path: ['approved', 'published'], inquiry: false },
  publish: { from: ['approved', 'retracted'], path: ['published'], inquiry: false },
  retract: { from: ['published'], path: ['retracted'], inquiry: false },
  reject: { from: ['pending_review', 'approved'], path: ['rejected'], inquiry: false },
  reopen: { from: ['rejected', 'closed'], path: ['pending_review'], inquiry: undefined },
  answer: { from: ['pending_review'], path: ['answered'], inquiry: true },
  close: { from: ['pending_review'], path: ['closed'], inquiry: true },
} as const;
export type Review = keyof typeof reviews;

/** The expected response to a contribution. */
export type Expected =
  | { kind: 'new' }
  | { kind: 'replay'; work: Work }
  | { kind: 'failure'; status: number; error: string };

/** The expected state for two humans and two anonymous agents. One human uses two addresses of one mailbox. */
export class Model {
  private readonly run = randomUUID();
  readonly emails = [`ada-${this.run}@example.org`, `ada-${this.run}+work@example.org`, `bob-${this.run}@example.org`];
  readonly clientIds = [`one-${this.run}`, `two-${this.run}`];
  readonly accesses: Access[] = [];
  readonly works: Work[] = [];
  private readonly used = new Map<string, number>();
  private readonly keys = new Map<string, { payload: string; work: Work }>();
  private readonly payloads = new Map<string, Work>();

  /** The requests that have a token, even if it was revoked. */
  get holders(): Access[] {
    return this.accesses.filter(({ token }) => token !== undefined);
  }

  /** The number of reads that a reader has left today. */
  left(reader: string): number {
    return this.limit(reader) - this.count(`read ${mailboxOf(reader)}`);
  }

  limit(reader: string): number {
    return reader.includes('@') ? 10 : 3;
  }

  charge(reader: string): void {
    this.add(`read ${mailboxOf(reader)}`);
  }

  /** Uses one of the five requests per hour. Returns false if none is left. */
  takeRequest(email: string): boolean {
    if (this.count(`authorize ${mailboxOf(email)}`) === 5) return false;
    this.add(`authorize ${mailboxOf(email)}`);
    return true;
  }

  /** Whether a No of the day keeps this agent's next requests from the mailbox. */
  isQuiet(email: string): boolean {
    return this.count(`no ${mailboxOf(email)}`) > 0;
  }

  /**
   * Applies a decision to a request. Returns false if it is refused. A decline after a confirmation
   * ends the access.
   */
  decide(access: Access, decision: 'confirm' | 'decline'): boolean {
    const isOver = access.state === 'declined' || access.state === 'revoked';
    if (decision === 'confirm' && isOver) return false;
    if (access.state === 'pending') {
      access.state = decision === 'confirm' ? 'confirmed' : 'declined';
      if (decision === 'decline') this.add(`no ${mailboxOf(access.email)}`);
    } else if (decision === 'decline' && !isOver) access.state = 'revoked';
    return true;
  }

  /** Withdraws the waiting contributions of an ended access. Returns them. */
  withdrawWaiting(access: Access): Work[] {
    const waiting = this.works.filter((work) => work.access === access && work.state === 'pending_review');
    for (const work of waiting) {
      work.state = 'withdrawn';
      work.revision += 1;
    }
    return waiting;
  }

  /** Runs the checks of a contribution in order. Fields and prompt are always valid here, so they are not checked. */
  expect(access: Access, type: WorkType, site: string, body: string, key?: string): Expected {
    const { email, scopes, state } = access;
    const owner = this.accesses.indexOf(access);
    if (state === 'revoked') return { kind: 'failure', status: 401, error: 'invalid_token' };
    if (site === 'io' && type !== 'inquiry') return { kind: 'failure', status: 403, error: 'site_restriction' };
    if (!scopes.includes(scopeOf[type])) return { kind: 'failure', status: 403, error: 'insufficient_scope' };
    const payload = [owner, type, site, body].join();
    if (key !== undefined) {
      const first = this.keys.get(`${owner} ${key}`);
      if (first?.payload === payload) return { kind: 'replay', work: first.work };
      if (first !== undefined) return { kind: 'failure', status: 409, error: 'idempotency_conflict' };
    } else {
      const first = this.payloads.get(payload);
      if (first !== undefined && first.state !== 'withdrawn') return { kind: 'replay', work: first };
    }
    if (this.count(`write ${mailboxOf(email)}`) === 20) return { kind: 'failure', status: 429, error: 'rate_limited' };
    return { kind: 'new' };
  }

  /** Adds an accepted contribution to the model. */
  take(work: Work, site: string, body: string, key?: string): void {
    const { email } = work.access;
    const owner = this.accesses.indexOf(work.access);
    const payload = [owner, work.type, site, body].join();
    this.works.push(work);
    this.add(`write ${mailboxOf(email)}`);
    this.payloads.set(payload, work);
    if (key !== undefined) this.keys.set(`${owner} ${key}`, { payload, work });
  }

  /** Applies a moderator's decision. Returns false if it is refused. */
  review(work: Work, review: Review, expectedRevision: number): boolean {
    const { from, path, inquiry } = reviews[review];
    const allowed = (from as readonly string[]).includes(work.state) && inquiry !== (work.type !== 'inquiry');
    if (!allowed || (expectedRevision !== 0 && expectedRevision !== work.revision)) return false;
    work.state = path.at(-1) ?? work.state;
    work.revision += path.length;
    return true;
  }

  private count(what: string): number {
    return this.used.get(what) ?? 0;
  }

  private add(what: string): void {
    this.used.set(what, this.count(what) + 1);
  }
}

function mailboxOf(reader: string): string {
  return reader.replace(/\+.*@/, '@');
}
