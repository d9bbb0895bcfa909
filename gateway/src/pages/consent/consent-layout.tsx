import { randomUUID } from 'node:crypto';
import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { CallOptions } from '@knowledge/runtime/grpc';
import { endElement, type Fragment, type Html, minuteElement } from '@knowledge/runtime/html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../../http/error-handler.js';
import { callContextOf, callOptions } from '../../upstream/calls.js';
import type { Sites } from '../../upstream/sites.js';
import { page } from '../parts/layout.js';

/** The content of a private page, which a secret link opens. */
export interface ConsentPage {
  readonly title: string;
  /** The title of the browser window, if it differs from the heading. */
  readonly headTitle?: string | undefined;
  /** The content after the heading. */
  readonly body: Html;
}

/** Sends a private page. It is not cached or framed, and its links do not pass on its URL (SECURITY.md#confirmation). */
export function sendConsentPage(reply: FastifyReply, status: number, shown: ConsentPage, sites: Sites): FastifyReply {
  const { title, headTitle, body } = shown;
  const main = (
    <article class="consent">
      <h1>{title}</h1>
      {body}
    </article>
  );
  const site = sites.ofUnchecked(reply.request.raw.url ?? '', reply.request.headers.host);
  return reply
    .code(status)
    .headers({
      ...pageHeaders,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
    })
    .send(page(sites, { site, title: headTitle ?? title, noindex: true, isPrivate: true, main }));
}

/** A form of a private page: its fields, and its buttons below them. */
export function buttonForm(action: string, buttons: Fragment, fields?: Fragment): Html {
  return (
    <form method="post" action={action}>
      {fields}
      <p class="choice">{buttons}</p>
    </form>
  );
}

/** The key of a form that sends a mail, so that a form that is sent twice sends one. */
export function formKey(): Html {
  return <input type="hidden" name="form_key" value={randomUUID()} />;
}

/** The options of the call of a form. Services know a repeated request by its id, which is the key of the form. */
export function formCall(request: FastifyRequest): CallOptions {
  const { form_key: key } = (request.body ?? {}) as Record<string, unknown>;
  const isKey = typeof key === 'string' && /^[0-9a-f-]{36}$/.test(key);
  return callOptions({ ...callContextOf(request), ...(isKey && { id: key }) });
}

/** A name or title in quotation marks. If it is Arabic or Hebrew, the words around it keep their order. */
export function quoted(name: string): Html {
  return (
    <>
      “<bdi>{name}</bdi>”
    </>
  );
}

/** A name in bold quotation marks. */
export function boldName(name: string): Html {
  return <strong>{quoted(name)}</strong>;
}

/** Says who ended an access, without a full stop. */
export function endWords(by: string): string {
  return ends[by] ?? 'Its time was over';
}

const ends: Readonly<Record<string, string>> = {
  human: 'You ended it',
  agent: 'The agent gave its access back',
  support: 'Our team ended it',
  renewal: 'A newer access replaced it',
};

/** A time that the wire always has, although its type does not say so. */
export function minuteOf(at = new Date(0)): Html {
  return minuteElement(at);
}

/** A list of what the access page shows: agents, requests, contributions. */
export function entryList(items: readonly Fragment[]): Html {
  return (
    <ul class="entries">
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

/** The relative path from a confirmation page to the root of its site. */
export const fromConfirm = '../../../../';

/** The link to the form that mails a human the link to their access page, for a confirmation page. */
export const mailedLink = <a href={`${fromConfirm}access/link`}>have the link to your own page mailed to you</a>;

/** How long a human can block requests without blocking them for ever. */
const days = 30;

type Refusing = Pick<GetAccessResponse, 'requestsRefused' | 'requestsRefusedUntil'>;
type Links = Pick<GetAccessResponse, 'linksWeekly' | 'linksRefused'>;
type Blocked = Pick<GetAccessResponse, 'blocked' | 'blockedUntil'>;

/** Shows whether agents may send requests to this human, with a button that changes it. */
export function blockPart({ key, ...refusing }: Refusing & Blocked & Links & { readonly key: string }): Html {
  return (
    <>
      <h2>Requests from agents</h2>
      {refusing.requestsRefused ? unblockForm(key, refusing) : blockForm({ key }, refusing.blocked)}
      {refusing.linksWeekly && linksForm(key, refusing)}
    </>
  );
}

/** Says that our team has blocked the mailbox, and what that means. */
export function blockedNote({ blockedUntil: until }: Blocked): Html {
  return (
    <p class="wrong">
      <strong>
        Our team has blocked this mailbox {until === undefined ? 'for ever' : ['until ', endElement(until)]}.
      </strong>{' '}
      {until === undefined ? 'No' : 'Until then no'} agent can ask you for access, renew it or send us a text in your
      name. The reason is in our mail. If you disagree, write to us, free of charge, and say why: a person looks at it
      again.
    </p>
  );
}

/** The form that blocks requests of agents, authorized by a mailed code or an access key. */
export function blockForm(secret: { code: string } | { key: string }, blocked = false): Html {
  const action =
    'code' in secret
      ? `${fromConfirm}access/block?code=${encodeURIComponent(secret.code)}`
      : `access/block?key=${encodeURIComponent(secret.key)}`;
  return (
    <details class="block">
      <summary>Turn off requests from agents</summary>
      <p>
        You get no mail about new requests then, and those that wait for your answer now are declined. Agents that you
        said yes to keep their access{!blocked && ' and may still ask you to renew it'}. You can turn requests on again
        on your own page.
      </p>
      {buttonForm(action, [
        <button class="stop" name="days" value={days}>
          Turn off for {days} days
        </button>,
        ' ',
        <button class="stop" name="days" value="0">
          Turn off for ever
        </button>,
      ])}
    </details>
  );
}

// No agent has access, so nothing but the block is known of this address.
function linksForm(key: string, { linksRefused }: Links) {
  if (linksRefused)
    return <p id="links">We mail no link to this page any more, whoever asks. Keep the one that you have.</p>;
  return (
    <form method="post" action={`access/block?key=${encodeURIComponent(key)}`} id="links">
      <p>If somebody asks for it, we mail you the link to this page, once a week at most.</p>
      <p>
        <button class="stop" name="days" value="no-links">
          No more of these mails
        </button>
      </p>
    </form>
  );
}

function unblockForm(key: string, refusing: Refusing & Blocked) {
  return (
    <>
      <p>
        Requests from agents to this address are turned off{untilWords(refusing)}.
        {!refusing.blocked && ' Agents that can act for you may still ask you to renew their access.'}
      </p>
      <form method="post" action={`access/block?key=${encodeURIComponent(key)}`}>
        <p>
          <button name="days" value="none">
            Turn requests on again
          </button>
        </p>
      </form>
    </>
  );
}

/** Says how long requests stay turned off. */
export function untilWords({ requestsRefusedUntil: until }: Refusing): Fragment {
  return until === undefined ? ' until you turn them on again' : [' until ', endElement(until)];
}

/** The checkbox that withdraws waiting texts. Since an unchecked box sends nothing, a hidden field stands before it. */
export function withdrawChoice(whose: 'it has' | 'they have'): Html {
  return (
    <>
      <input type="hidden" name="keep_waiting" value="yes" />
      <p>
        <label class="tick soft">
          <input type="checkbox" name="keep_waiting" value="no" checked /> Withdraw what {whose} sent and nobody has
          reviewed yet
        </label>
      </p>
    </>
  );
}

/** The value of that checkbox: the last one, since the form sends the field once or twice. */
export function lastValueOf(sent: unknown): unknown {
  return Array.isArray(sent) ? sent.at(-1) : sent;
}

/** A sentence with the number of withdrawn texts; empty for none or if unknown. */
export function withdrawnWords(count: number | undefined): string {
  if (count === undefined || count === 0) return '';
  return count === 1 ? '1 text that waited is withdrawn. ' : `${count} texts that waited are withdrawn. `;
}

/** A sentence with the number of declined requests; empty for none. */
export function declinedWords(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? '1 request that waited for your answer is declined. '
    : `${count} requests that waited for your answer are declined. `;
}
