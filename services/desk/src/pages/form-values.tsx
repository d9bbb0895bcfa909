import { codePoints, hasCode, KnowledgeError } from '@knowledge/runtime';
import type { Fragment } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyRequest } from 'fastify';
import { readTime } from '../base/time.js';

/** Reads the fields of a sent form as they were typed; `most` says how long each may be. */
export function readValues<Name extends string>(
  { body }: Pick<FastifyRequest, 'body'>,
  most: Readonly<Record<Name, number>>,
): Record<Name, string> {
  const names = Object.keys(most) as Name[];
  const values = names.map((name) => [name, formField(body, name, most[name])]);
  return Object.fromEntries(values) as Record<Name, string>;
}

/** The faults of a refused form: those of a field stand beside it, the others above the form. */
export interface FormFaults<Name extends string> {
  readonly of: Readonly<Partial<Record<Name, string>>>;
  readonly others: readonly string[];
}

/** Makes the fields of a form: each with its label, what was typed, and its fault as a sentence. */
export function fieldsOf<Name extends string>(form: Readonly<Record<Name, string>>, { of }: FormFaults<string>) {
  return (name: Name, label: string, hint?: string) => {
    const fault = of[name] === undefined ? undefined : `${label} ${of[name]}.`;
    // A browser puts typed words back only where it may complete them.
    return { name, label, hint, fault, value: form[name], autocomplete: false };
  };
}

export const noFaults: FormFaults<never> = { of: {}, others: [] };

export function isRefused({ of, others }: FormFaults<string>): boolean {
  return others.length > 0 || Object.keys(of).length > 0;
}

/** Says that a form was refused; nothing if it was not. */
export function refusal(faults: FormFaults<string>): Fragment {
  if (!isRefused(faults)) return undefined;
  // Without a wrong field the focus goes here.
  const isAlone = Object.keys(faults.of).length === 0;
  return (
    <div class="notice" role="alert" tabindex={isAlone && -1} autofocus={isAlone}>
      <p class="fault">Nothing was stored. {faults.others.join(' ') || 'See what is said beside the fields.'}</p>
    </div>
  );
}

/** Reads a refusal of a service. A `validation_error` names each field and separates faults by semicolons. */
export function readFaults<Name extends string>(
  { code, message }: Pick<KnowledgeError, 'code' | 'message'>,
  names: readonly Name[],
): FormFaults<Name> {
  const of: Partial<Record<Name, string>> = {};
  if (code !== 'validation_error') return { of, others: [message] };
  const others: string[] = [];
  // A part that names no field says more about the one before, such as `it has 4`.
  const parts = message.replace(/\.$/, '').split(new RegExp(`; (?=(?:${names.join('|')}) |\\S+ (?:must|is) )`));
  for (const fault of parts) {
    const name = names.find((each) => fault.startsWith(`${each} `));
    if (name === undefined) others.push(`${fault}.`);
    else of[name] = [of[name], fault.slice(name.length + 1)].filter(Boolean).join('; ');
  }
  return { of, others };
}

/** Throws a refusal of the service again, with the labels of the page. */
export function inWords(labels: Readonly<Record<string, string>>) {
  return (error: unknown) => {
    if (!hasCode(error, 'validation_error')) throw error;
    throw new KnowledgeError('validation_error', withLabels(error.message, labels));
  };
}

/** Says the faults of a refusal with the labels of the page. It is for pages without room beside their fields. */
export function withLabels(message: string, labels: Readonly<Record<string, string>>): string {
  const { of, others } = readFaults({ code: 'validation_error', message }, Object.keys(labels));
  return [...Object.entries(of).map(([name, fault]) => `${labels[name]} ${fault}.`), ...others].join(' ');
}

/**
 * A field of a sent form or of the query; empty if it is missing. Browsers end lines with two characters; it gets one.
 *
 * @throws KnowledgeError `validation_error` for a field that is too long or was sent twice.
 */
export function formField(sent: FastifyRequest['body'] | FastifyRequest['query'], name: string, max = 200): string {
  const fields = typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {};
  const typed = Object.hasOwn(fields, name) ? fields[name] : '';
  if (typeof typed !== 'string') throw new KnowledgeError('validation_error', `${name}: must be sent once.`);
  const value = typed.replaceAll('\r\n', '\n');
  if (codePoints(value) > max)
    throw new KnowledgeError('validation_error', `${name}: must be at most ${max} characters.`);
  if (/[\p{Cs}\0]/u.test(value)) throw new KnowledgeError('validation_error', `${name}: must be clean text.`);
  return value;
}

/**
 * The revision for which a form was filled in.
 *
 * @throws KnowledgeError `validation_error` without one, since a service would overwrite what colleagues changed.
 */
export function revisionIn({ body }: Pick<FastifyRequest, 'body'>, name = 'revision', least = 1): number {
  const sent = formField(body, name, 15);
  if (/^\d+$/.test(sent) && Number(sent) >= least) return Number(sent);
  throw new KnowledgeError('validation_error', `${name}: must be the number of a revision. Open the page again.`);
}

/** The page of a list that the field `name` of the query says; the first one without it. */
export function pageIn({ query }: FastifyRequest, pageSize = 50, name = 'page') {
  return { pageSize, pageToken: formField(query, name, 1024) };
}

/**
 * The time that somebody typed into a field; undefined if it is empty.
 *
 * @throws KnowledgeError `validation_error` that names the field, for what nobody can read as a time.
 */
export function timeOfField(name: string, text: string): Date | undefined {
  const time = readTime(text);
  if (time !== undefined || text.trim() === '') return time;
  throw new KnowledgeError('validation_error', `${name} must be a time like 2026-06-01 09:00, or a date.`);
}

/** @throws KnowledgeError `validation_error` for a reason without words, which passes the check of a browser. */
export function requiredReasonOf({ body }: FastifyRequest): string {
  const reason = formField(body, 'reason', bounds.reason.max);
  if (reason.trim() === '') throw new KnowledgeError('validation_error', 'Reason is required: say why.');
  return reason;
}

/** @throws KnowledgeError `validation_error` unless the field has whole days. */
export function daysOf({ body }: FastifyRequest): number {
  const days = formField(body, 'days', 10).trim();
  if (/^\d{1,4}$/.test(days)) return Number(days);
  throw new KnowledgeError('validation_error', 'Days must be a whole number; 0 means for ever.');
}
