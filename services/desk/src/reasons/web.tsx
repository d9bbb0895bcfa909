import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { KnowledgeError } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  areaField,
  type Cells,
  checkField,
  confirmPage,
  csrfField,
  fieldsOf,
  formField,
  formPage,
  isRefused,
  mainButton,
  noFaults,
  partOf,
  refusal,
  strange,
  tableOf,
  textField,
  titled,
  type WebDesk,
} from '../pages/index.js';
import { decisions, presentReason, type ReasonView, toWireDecision } from './present.js';

const path = '/admin/reasons';
const empty = { id: '', words: '', decisions: ['reject'], order: '0' };

/** Registers the page on which administrators keep the canned reasons of moderators. */
export function registerReasons(app: FastifyInstance, { calls }: WebDesk): void {
  const client = calls('contributions', ReasonServiceService);
  const read = async (request: FastifyRequest) => (await client(request).listReasons({})).reasons.map(presentReason);

  formPage(app, path, {
    roles: [],
    fields: ['id', 'words', 'decisions', 'order'],
    typed: ({ body }) => ({
      id: formField(body, 'id').trim(),
      words: formField(body, 'words', 20_000).trim(),
      decisions: decisions.filter((decision) => formField(body, `for-${decision}`) === 'yes'),
      order: formField(body, 'order').trim(),
    }),
    async save({ order, ...sent }, request) {
      if (!/^\d{1,6}$/.test(order)) throw new KnowledgeError('validation_error', 'order must be a number from 0.');
      const reason = { ...sent, decisions: sent.decisions.map(toWireDecision), order: Number(order) };
      await client(request).putReason({ reason });
      return path;
    },
    /** All reasons, and a form for another one or for the one that is open. */
    async show(request, sent) {
      const reasons = await read(request);
      const open = reasons.find(({ id }) => id === formField(request.query, 'edit'));
      const { form, faults } = sent ?? { form: { ...empty, ...open }, faults: noFaults };
      const field = fieldsOf({ ...form, decisions: '', order: String(form.order) }, faults);
      return titled(
        'Canned reasons',
        <>
          <p class="soft">
            Moderators choose one in place of writing it. A decision keeps the words that it was made with, so a change
            here changes no decision.
          </p>
          {tableOf('Reasons', reasons, cells, 'There are none yet.')}
          <h2>{form.id === '' ? 'Another reason' : 'Change a reason'}</h2>
          {refusal(faults)}
          <form class="edit" id="reason-form" method="post" action={path} data-unsent={isRefused(faults)}>
            {csrfField()}
            {textField({
              ...field('id', 'Name', 'a-z, 0-9 and hyphens. A name that exists already gets the new words.'),
              required: true,
              maxlength: 80,
            })}
            {areaField({ ...field('words', 'Words'), rows: 3, required: true, maxlength: bounds.reason.max })}
            {decisionFields(form.decisions, field('decisions', 'Offered for').fault)}
            {textField({ ...field('order', 'Place in the list', 'From 0.'), inputmode: 'numeric', maxlength: 6 })}
            <p>{mainButton('Save the reason')}</p>
          </form>
        </>,
      );
    },
  });

  confirmPage(app, `${path}/:id/delete`, {
    roles: [],
    async ask(request) {
      const reason = (await read(request)).find(({ id }) => id === partOf(request));
      if (reason === undefined) throw new KnowledgeError('not_found', 'There is no such reason.');
      return {
        title: `Delete the reason ${reason.id}`,
        warning: ['Moderators can no longer choose it: ', <q>{strange(reason.words)}</q>],
        button: 'Delete',
        back: path,
        withoutReason: true,
      };
    },
    async change(request) {
      await client(request).deleteReason({ id: partOf(request) });
      return path;
    },
  });
}

function decisionFields(chosen: readonly string[], fault: string | undefined) {
  return (
    <fieldset>
      <legend>Offered for</legend>
      {fault !== undefined && (
        <p class="fault" id="decisions-fault">
          {fault}
        </p>
      )}
      {decisions.map((decision) =>
        checkField({
          name: `for-${decision}`,
          label: decision.replaceAll('-', ' '),
          checked: chosen.includes(decision),
          faultId: fault !== undefined && 'decisions-fault',
        }),
      )}
    </fieldset>
  );
}

const cells: Cells<ReasonView> = {
  Reason: ({ id, words }) => (
    <>
      <a href={`${path}?edit=${encodeURIComponent(id)}#reason-form`}>{id}</a>
      <span class="small">
        <bdi>{words}</bdi>
      </span>
    </>
  ),
  For: ({ decisions }) => decisions.join(', '),
  Place: 'order',
  Delete: ({ id }) => (
    <a href={`${path}/${encodeURIComponent(id)}/delete`} aria-label={`Delete the reason ${id}`}>
      Delete
    </a>
  ),
};
