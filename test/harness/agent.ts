import { randomUUID } from 'node:crypto';
import type { ParsedMail } from 'mailparser';
import { type Answer, call } from './http.js';
import type { System } from './system.js';
import { until } from './until.js';

/** A mailbox nobody has used before. */
export function freshEmail(name = 'human'): string {
  return `${name}-${randomUUID()}@example.org`;
}

/** Sends JSON. */
export function send(
  method: string,
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return call(url, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
}

/** What an agent holds after asking for access. */
export interface Asked {
  readonly answer: Answer;
  readonly deviceCode: string;
  readonly userCode: string;
}

/** POST /api/v1/agent/authorize. */
export async function askForAccess(
  system: System,
  email: string,
  fields: Record<string, unknown> = {},
): Promise<Asked> {
  const answer = await send('POST', `${system.url}/api/v1/agent/authorize`, {
    email,
    agent_name: 'Test Agent',
    ...fields,
  });
  return { answer, deviceCode: answer.json?.token_exchange?.device_code, userCode: answer.json?.user_code };
}

/** Waits for the confirmation mail to a mailbox and gives it. */
export function confirmationMail(system: System, email: string, nth = 0): Promise<ParsedMail> {
  return until(
    `a confirmation mail to ${email}`,
    () => mailsTo(system, email).filter((mail) => codeIn(mail) !== undefined)[nth],
  );
}

/** Every mail to a mailbox, in the order of arrival. */
export function mailsTo(system: System, email: string): ParsedMail[] {
  return system.mail.mails.filter((mail) => recipients(mail).includes(email.toLowerCase()));
}

/** The addresses in the To header. */
export function recipients(mail: ParsedMail): string[] {
  return [mail.to ?? []].flat().flatMap((each) => each.value.map(({ address = '' }) => address.toLowerCase()));
}

/** The code of the link in a confirmation mail. */
export function codeIn(mail: ParsedMail): string | undefined {
  return /\/api\/v1\/agent\/authorize\/confirm\?code=([^\s&"<>]+)/.exec(mail.text ?? '')?.[1];
}

/** The confirm URL that a mail links to. */
export function confirmUrl(system: System, mail: ParsedMail): string {
  return `${system.url}/api/v1/agent/authorize/confirm?code=${codeIn(mail)}`;
}

/** The link to the human's own page, as it was mailed. */
export async function ownPage(system: System, email: string): Promise<string> {
  const key = await until(`a mail with the own page of ${email}`, () =>
    mailsTo(system, email)
      .map(({ text }) => /\/access\?key=([^\s&"<>]+)/.exec(text ?? '')?.[1])
      .find((each) => each !== undefined),
  );
  return `${system.url}/access?key=${key}`;
}

/** Sends a form as a browser does and follows where it leads. */
export async function submit(
  url: string,
  fields: Record<string, string> | readonly (readonly [string, string])[],
): Promise<Answer> {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
  const body = new URLSearchParams(pairs);
  const answer = await call(url, { method: 'POST', body, headers: browser });
  const location = answer.headers.get('location');
  return location === null ? answer : call(new URL(location, url).href, { headers: browser });
}

const browser = { accept: 'text/html,*/*;q=0.8' };

/** POST /api/v1/agent/token. */
export function exchange(system: System, deviceCode: string, gateway = 0): Promise<Answer> {
  return send('POST', `${system.gateways[gateway]}/api/v1/agent/token`, { device_code: deviceCode });
}

/** The whole consent: asks, opens the mailed link, confirms, picks the token up. */
export async function consent(
  system: System,
  email = freshEmail(),
  fields: Record<string, unknown> = {},
): Promise<{ token: string; email: string }> {
  const { deviceCode } = await askForAccess(system, email, fields);
  const mail = await confirmationMail(system, email);
  await send('POST', confirmUrl(system, mail), {});
  const { json } = await exchange(system, deviceCode);
  return { token: json.token, email };
}

/** POST /api/v1/contributions. */
export function contribute(
  system: System,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
  gateway = 0,
): Promise<Answer> {
  return send('POST', `${system.gateways[gateway]}/api/v1/contributions`, body, {
    authorization: `Bearer ${token}`,
    ...headers,
  });
}

/** A story that nobody sent before. */
export function story(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'story',
    title: 'What the rollout taught us',
    body: `We moved on, and it held. ${randomUUID()}`,
    ...fields,
  };
}
