import { errorCatalogue, hasCode, type KnowledgeError } from '@knowledge/runtime';
import type { Role } from '@knowledge/runtime/grpc';
import type { Fragment } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { buttonRow, csrfField, linkButton, mainButton, reasonField } from './fields.js';
import { type FormFaults, fieldsOf, formField, isRefused, readFaults, refusal } from './form-values.js';
import { type Shown, sendPage, titled } from './page.js';
import { onlyFor } from './session.js';
import { linkLine } from './values.js';

/** The revision or version that the words of a form were read at, by the names of its fields. */
export type Guards = Readonly<Record<string, number | string>>;

/** A form that comes back with what was typed. */
export interface SentForm<Form, Checked = unknown> {
  readonly form: Form;
  readonly faults: FormFaults<string>;
  /** What a text would look like. */
  readonly preview?: Fragment;
  /** What changed meanwhile, and what the words of the form are then read at. */
  readonly after?: Fragment;
  readonly guards?: Guards;
  /** What the service would store. */
  readonly checked?: Checked;
}

/** What happens to a form that was sent. */
interface FormAnswer<Form, Checked> {
  /** The fields with a place for a fault, as the service names them. */
  readonly fields: readonly string[];
  /** Puts a refusal of the service in the words of the page. */
  readonly rephrase?: (message: string) => string;
  readonly typed: (request: FastifyRequest) => Form;
  /** Makes the change. Returns the page to lead to, or the form to show again. */
  readonly save: (form: Form, request: FastifyRequest) => Promise<string | SentForm<Form, Checked>>;
  /** The page with the form; `sent` is what comes back. */
  readonly show: (request: FastifyRequest, sent?: SentForm<Form, Checked>) => Promise<Shown>;
}

interface FormPage<Form, Checked> extends FormAnswer<Form, Checked> {
  /** The roles that may open the page. Without them the service refuses others. */
  readonly roles?: readonly Role[];
  /** The address that takes the form, if it is another one. */
  readonly action?: string;
}

/** Registers a page. Without roles the service refuses those who may not see it. */
export function showPage(
  app: FastifyInstance,
  path: string,
  show: (request: FastifyRequest) => Promise<Shown>,
  roles?: readonly Role[],
): void {
  app.get(path, forRoles(roles), async (request, reply) => sendPage(reply, await show(request)));
}

/**
 * Registers the address of a form without faults. The change leads on to the page that it returns. It gets more than a
 * reason may have, so that the service says what is too long.
 */
export function takeForm(
  app: FastifyInstance,
  path: string,
  change: (request: FastifyRequest, reason: string) => Promise<string>,
): void {
  app.post(path, async (request, reply) =>
    reply.redirect(await change(request, formField(request.body, 'reason', bounds.body.max)), 303),
  );
}

/** Registers a page with a form. A refused form comes back with its faults. */
export function formPage<Form, Checked = unknown>(
  app: FastifyInstance,
  path: string,
  page: FormPage<Form, Checked>,
): void {
  showPage(app, path, (request) => page.show(request), page.roles);
  answerForm(app, page.action ?? path, page);
}

/** Registers the address that takes a form. */
export function answerForm<Form, Checked = unknown>(
  app: FastifyInstance,
  path: string,
  answer: FormAnswer<Form, Checked>,
): void {
  const { fields, rephrase = (message) => message, typed, save, show } = answer;
  app.post(path, async (request, reply) => {
    const form = typed(request);
    const faultsOf = (error: unknown): SentForm<Form, Checked> => {
      if (!hasCode(error, 'validation_error')) throw error;
      const { code, message }: KnowledgeError = error;
      return { form, faults: readFaults({ code, message: rephrase(message) }, fields) };
    };
    const sent = await save(form, request).catch(faultsOf);
    if (typeof sent === 'string') return reply.redirect(sent, 303);
    const shown = await show(request, sent);
    const status = shown.status ?? (isRefused(sent.faults) ? 422 : 200);
    return sendPage(reply, { ...shown, status, title: status === 200 ? shown.title : `Error: ${shown.title}` });
  });
}

/** What a page asks before a change. */
interface Question {
  readonly title: string;
  /** What the change means. */
  readonly warning: Fragment;
  /** What is to be seen before the answer, such as a difference. */
  readonly shown?: Fragment;
  readonly button: string;
  /** The page to which the other answer leads. */
  readonly back: string;
  /** Whether the change takes no reason. */
  readonly withoutReason?: boolean;
  /** The values that the form sends along. */
  readonly hidden?: Readonly<Record<string, string | number>>;
}

/** A change that a page asks about. */
interface Confirmation {
  /** The roles that may open the page. Without them the service refuses others. */
  readonly roles?: readonly Role[];
  /**
   * The question, or the page to lead to if there is nothing to ask any more. `named` is the query of the page, or what
   * its form sent, if that was refused.
   */
  readonly ask: (request: FastifyRequest, named: FastifyRequest['query']) => Promise<Question | string>;
  /** Makes the change, and returns the page to lead to. */
  readonly change: (request: FastifyRequest, reason: string) => Promise<string>;
}

/**
 * Registers a page that asks before a change, with room for a reason. A refused answer comes back with its reason, and is
 * then about what is there now.
 */
export function confirmPage(app: FastifyInstance, path: string, { roles, ask, change }: Confirmation): void {
  app.get(path, forRoles(roles), async (request, reply) => {
    const question = await ask(request, request.query);
    return typeof question === 'string' ? reply.redirect(question, 303) : sendPage(reply, askPage(request, question));
  });
  app.post(path, async (request, reply) => {
    const reason = formField(request.body, 'reason', bounds.body.max);
    try {
      return reply.redirect(await change(request, reason), 303);
    } catch (error) {
      if (!hasCode(error, 'invalid_state') && !hasCode(error, 'validation_error')) throw error;
      // A form may lack what the question is about.
      const question = await ask(request, request.body).catch(() => undefined);
      if (question === undefined || typeof question === 'string') throw error;
      return sendPage(reply, askPage(request, question, { reason, error }));
    }
  });
}

function askPage(
  { url }: FastifyRequest,
  { title, warning, shown, button, back, hidden, withoutReason = false }: Question,
  refused?: { readonly reason: string; readonly error: KnowledgeError },
) {
  const faults = refused && readFaults(refused.error, ['reason']);
  const page = titled(
    title,
    <>
      {faults && refusal(faults)}
      {faults && linkLine(back, 'See it as it is now')}
      <p>{warning}</p>
      {shown}
      <form class="edit" method="post" action={url.replace(/\?.*$/s, '')} data-unsent={(refused?.reason ?? '') !== ''}>
        {csrfField(hidden)}
        {!withoutReason && reasonField(faults && fieldsOf({ reason: refused.reason }, faults)('reason', 'Reason'))}
        {buttonRow(mainButton(button), linkButton(back, 'Cancel'))}
      </form>
    </>,
    { status: refused && errorCatalogue[refused.error.code].http },
  );
  return refused === undefined ? page : { ...page, title: `Error: ${title}` };
}

function forRoles(roles: readonly Role[] | undefined): Partial<ReturnType<typeof onlyFor>> {
  return roles === undefined ? {} : onlyFor(...roles);
}

/** A part of the path, such as the id of a thing. */
export function partOf({ params }: FastifyRequest, name = 'id'): string {
  return (params as Readonly<Record<string, string | undefined>>)[name] ?? '';
}

/** Reads a revision that a form sends along; 0 if there is none. */
export function toRevision(value: string): number {
  return /^\d{1,15}$/.test(value) ? Number(value) : 0;
}
