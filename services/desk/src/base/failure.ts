import { status as Code, type ServiceError } from '@grpc/grpc-js';
import { ConfigError, type ErrorCode, KnowledgeError } from '@knowledge/runtime/client';
import { type Command, CommanderError } from 'commander';
import { DeskError, PartialFailure, UsageError } from './desk-error.js';
import type { Host } from './host.js';
import { createPaint, terminalSafeLine } from './text.js';

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exitCode: 1 | 2;
}

/** Prints a failure on standard error, as one line or one JSON object, and returns the exit code. */
export function reportFailure(
  error: unknown,
  host: Pick<Host, 'stderr' | 'env'>,
  json: boolean,
  called: ReadonlyMap<string, string> = new Map(),
  group?: Command | null,
): number {
  if (error instanceof PartialFailure) {
    for (const { name, error: each } of error.refusals)
      printFailure(describeFailure(each, called, group), host, json, name);
    return 1;
  }
  const failure = describeFailure(error, called, group);
  printFailure(failure, host, json);
  return failure.exitCode;
}

function printFailure(
  { code, message }: Failure,
  { stderr, env }: Pick<Host, 'stderr' | 'env'>,
  json: boolean,
  name?: string,
) {
  const { failure } = createPaint(stderr, env);
  const line = json
    ? JSON.stringify({ ok: false, error: code, message, ...(name !== undefined && { id: name }) })
    : `knowledge: ${failure(code)}: ${name === undefined ? '' : `${terminalSafeLine(name)}: `}${message}`;
  stderr.write(`${line}\n`);
}

/** Converts any error to its code, and a message that says what happened and what to do next. */
export function describeFailure(
  error: unknown,
  called: ReadonlyMap<string, string> = new Map(),
  group?: Command | null,
): Failure {
  if (error instanceof CommanderError) return usage(`${sentence(error.message)} Add --help to see how.`);
  if (error instanceof UsageError) return usage(error.message);
  if (error instanceof ConfigError) return usage(error.faults.join(' '));
  if (error instanceof DeskError) return { code: error.code, message: terminalSafeLine(error.message), exitCode: 1 };
  if (error instanceof KnowledgeError) return describeRefusal(error, called, group);
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal_error', message: terminalSafeLine(`The desk itself failed: ${message}`), exitCode: 1 };
}

function usage(message: string): Failure {
  return { code: 'usage', message: terminalSafeLine(message), exitCode: 2 };
}

function describeRefusal(
  error: KnowledgeError,
  called: ReadonlyMap<string, string>,
  group: Command | null | undefined,
): Failure {
  const grpc = error.cause as Partial<ServiceError> | undefined;
  const mayLackHandler = error.code === 'internal_error' || error.code === 'unavailable';
  const status = mayLackHandler ? statusesWithoutHandler.get(grpc?.code) : undefined;
  if (status !== undefined) {
    const what = (grpc?.details ?? error.message).replace(/\.?$/, '.');
    const message = terminalSafeLine(`${serviceOf(called)}: ${what} ${status.next}`);
    return { code: status.code, message, exitCode: 1 };
  }
  const what = error.code === 'unavailable' ? describeOutage(error, called) : error.message;
  const next = nextStep(error.code, group);
  return { code: error.code, message: terminalSafeLine(next === undefined ? what : `${what} ${next}`), exitCode: 1 };
}

function describeOutage(error: KnowledgeError, called: ReadonlyMap<string, string>) {
  const reason = outageReason(error.cause);
  const who = serviceOf(called);
  if (reason === undefined) return `${who} says: ${error.message}`;
  return `${who} ${called.size > 1 ? 'do not all answer' : 'does not answer'}: ${reason}.`;
}

function serviceOf(called: ReadonlyMap<string, string>) {
  return called.size === 0 ? 'the service' : [...called].map(([name, address]) => `${name} at ${address}`).join(', ');
}

// gRPC itself sends these statuses before a call reaches the service's own code.
const statusesWithoutHandler: ReadonlyMap<number | undefined, { code: string; next: string }> = new Map([
  [Code.UNIMPLEMENTED, { code: 'unimplemented', next: 'Is this the address of another service, or an older version?' }],
  [
    Code.PERMISSION_DENIED,
    { code: 'permission_denied', next: 'Use a certificate that may, or ask an operator to admit this one.' },
  ],
  [Code.UNAUTHENTICATED, { code: 'unauthenticated', next: 'Give a client certificate with --tls-cert and --tls-key.' }],
]);

function nextStep(code: ErrorCode, group: Command | null | undefined) {
  if (code === 'unavailable') return 'Run "knowledge status" to see what is down.';
  if (code === 'internal_error') return 'The log of the service has more.';
  if (!group?.commands.some((each) => each.name() === 'list')) return undefined;
  const name = group.name();
  const list = `"knowledge ${name} list${name === 'review' ? ' --all' : ''}"`;
  if (code === 'not_found') return `${list} shows what there is.`;
  return code === 'invalid_state' && !groupsWithoutStates.has(name) ? `${list} shows the states.` : undefined;
}

/** The lists of these groups have no states, so a hint to look at states there would be wrong. */
const groupsWithoutStates: ReadonlySet<string> = new Set(['object', 'highlight', 'synonym', 'reason']);

/** Converts a message of commander to one line that ends like a sentence. */
function sentence(text: string) {
  const [, typed = ''] = /'-*([^']*)'/.exec(text) ?? [];
  const line = text
    .replace(/^error: /, '')
    .replace(/\(Did you mean (?:one of )?(.*)\?\)/, (_, names: string) => suggestion(names.split(', '), typed))
    .replace(/\s+/g, ' ')
    .trim();
  return /[.?!)]$/.test(line) ? line : `${line}.`;
}

// Commander suggests too many names for long words, so this leaves only names with the same first letter.
function suggestion(names: readonly string[], typed: string) {
  const alike = names.filter((name) => name.replace(/^-+/, '').charAt(0) === typed.charAt(0));
  if (alike.length === 0) return '';
  return `(Did you mean ${alike.length > 1 ? 'one of ' : ''}${alike.join(', ')}?)`;
}

/**
 * Explains in a few words why a service could not be reached, from an error of grpc-js. Undefined if the service itself
 * sent the error.
 */
export function outageReason(cause: unknown): string | undefined {
  const { details, metadata } = (cause ?? {}) as Partial<ServiceError>;
  if (metadata?.get('grpc-status-details-bin').length) return undefined;
  if (details === undefined || details === '') return 'no connection in time';
  const socket = /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ETIMEDOUT)\b/.exec(details)?.[1];
  if (socket !== undefined) return socketReasons[socket];
  if (details.startsWith('Deadline exceeded')) return 'no answer in time';
  if (details.startsWith('Name resolution failed')) return 'no such host';
  return details;
}

const socketReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host is not reachable',
  ENETUNREACH: 'the network is not reachable',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'the connection timed out',
};
