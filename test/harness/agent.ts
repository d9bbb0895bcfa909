import { randomUUID } from 'node:crypto';
import type { DecideRequest } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { ParsedMail } from 'mailparser';
import { bearer, browser, call, type HttpResponse } from './http.js';
import { asTester, type System } from './system.js';
import { until } from './until.js';

/** Makes an address that no other test uses. */
export function freshEmail(name = 'human'): string {
  return `${name}-${randomUUID()}@example.org`;
}

export function sendJson(
  method: string,
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  return call(url, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
}

/** The response to a request for access, with its codes. */
export interface AccessRequest {
  readonly answer: HttpResponse;
  readonly deviceCode: string;
  readonly userCode: string;
}

/** Calls `POST /api/v1/agent/authorize`. */
export async function askForAccess(
  system: System,
  email: string,
  fields: Record<string, unknown> = {},
): Promise<AccessRequest> {
  const answer = await sendJson('POST', `${system.url}/api/v1/agent/authorize`, {
    email,
    agent_name: 'Test Agent',
    ...fields,
  });
  return { answer, deviceCode: answer.json?.token_exchange?.device_code, userCode: answer.json?.user_code };
}

/** Waits for the confirmation mail to an address. */
export function confirmationMail(system: System, email: string, nth = 0): Promise<ParsedMail> {
  return until(
    `a confirmation mail to ${email}`,
    () => mailsTo(system, email).filter((mail) => confirmationCodeIn(mail) !== undefined)[nth],
  );
}

/** Returns all mails to an address in the order of arrival. */
export function mailsTo(system: System, email: string): ParsedMail[] {
  return system.mail.mails.filter((mail) => recipients(mail).includes(email.toLowerCase()));
}

/** Waits for a mail to an address with these words, in its subject or its text. */
export function mailWith(system: System, email: string, words: string): Promise<ParsedMail> {
  const has = ({ subject, text }: ParsedMail) => `${subject}\n${text}`.includes(words);
  return until(`a mail with ${words}`, () => mailsTo(system, email).find(has));
}

export function recipients(mail: ParsedMail): string[] {
  return [mail.to ?? []].flat().flatMap((each) => each.value.map(({ address = '' }) => address.toLowerCase()));
}

export function confirmationCodeIn(mail: ParsedMail): string | undefined {
  return /\/api\/v1\/agent\/authorize\/confirm\?code=([^\s&"<>]+)/.exec(mail.text ?? '')?.[1];
}

/** Returns the link in a confirmation mail. */
export function confirmUrl(system: System, mail: ParsedMail): string {
  return `${system.url}/api/v1/agent/authorize/confirm?code=${confirmationCodeIn(mail)}`;
}

/** Waits for the mail with the access link of a human and returns the link. */
export async function accessPageLink(system: System, email: string): Promise<string> {
  const key = await until(`a mail with the own page of ${email}`, () =>
    mailsTo(system, email)
      .map(({ text }) => /\/access\?key=([^\s&"<>]+)/.exec(text ?? '')?.[1])
      .find((each) => each !== undefined),
  );
  return `${system.url}/access?key=${key}`;
}

/** Sends a form like a browser, and follows the redirect. */
export async function submitForm(
  url: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  const body = new URLSearchParams(fields);
  const answer = await call(url, { method: 'POST', body, headers: { ...browser, ...headers } });
  const location = answer.headers.get('location');
  return location === null ? answer : call(new URL(location, url).href, { headers: browser });
}

/** Calls `POST /api/v1/agent/token`. */
export function exchangeToken(system: System, deviceCode: string, gateway = 0): Promise<HttpResponse> {
  return sendJson('POST', `${system.gateways[gateway]}/api/v1/agent/token`, { device_code: deviceCode });
}

/** Requests access, opens the mailed link, confirms, and fetches the token. */
export async function consent(
  system: System,
  email = freshEmail(),
  fields: Record<string, unknown> = {},
): Promise<{ token: string; email: string }> {
  const { deviceCode } = await askForAccess(system, email, fields);
  const mail = await confirmationMail(system, email);
  await sendJson('POST', confirmUrl(system, mail), {});
  const { json } = await exchangeToken(system, deviceCode);
  return { token: json.token, email };
}

/** Calls `POST /api/v1/contributions`. */
export function contribute(
  system: System,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
  gateway = 0,
): Promise<HttpResponse> {
  const url = `${system.gateways[gateway]}/api/v1/contributions`;
  return sendJson('POST', url, body, { ...bearer(token), ...headers });
}

/** Decides on a contribution as a moderator who has seen any text of it. */
export function decide(
  { clients }: System,
  id: string,
  decision: DecideRequest['decision'],
  fields: Partial<DecideRequest> = {},
) {
  return clients.moderation.decide({ id, expectedRevision: 0, decision, ...fields }, asTester());
}

/** The record of a contribution, as a moderator sees it. */
export async function recordOf({ clients }: System, id: string) {
  return (await clients.moderation.getContributionRecord({ id }, asTester())).contribution;
}

/** Waits until a token is refused everywhere. */
export async function untilRefused({ gateways }: System, token: string): Promise<void> {
  const headers = bearer(token);
  for (const gateway of gateways)
    await until(
      'the token to be refused',
      async () => (await call(`${gateway}/api/v1/agent/token`, { headers })).status === 401,
      5_000,
    );
}

/** Makes a story with a new text. */
export function newStory(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'story',
    title: 'What the rollout taught us',
    body: `We moved on, and it held. ${randomUUID()}`,
    ...fields,
  };
}
