import { randomUUID } from 'node:crypto';
import { TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { callsOf } from '../../calls-of.js';
import { command, result } from '../../command-table.js';
import { forEachNamed } from '../../for-each-named.js';
import { idHelp, idsHelp, resolveIds } from '../../ids.js';
import { type ContributionView, formatContribution } from '../../present/contribution.js';
import { requireField } from '../../present/require-field.js';
import { presentNote } from '../../present/teamwork.js';
import type { Paint } from '../../print/paint.js';
import { findContributionId, readContribution } from './find.js';

export const show = command({
  about: 'show contributions with their history, their mails and the changes of their texts',
  takes: { '<id...>': idsHelp },
  async run(session, { id: words }) {
    const ids = await resolveIds(words, (word) => findContributionId(session, word));
    const { formatTextChanges } = await import('../../difference/contribution-difference.js');
    const text = (record: ContributionView, paint: Paint): string =>
      formatContribution(record, paint) + formatTextChanges(record, paint);
    await forEachNamed(session, ids, (id) => readContribution(session, id), { text, between: '\n\n\n' });
  },
  examples: ['review show ID', 'review show ID --json'],
});

const teamwork = callsOf('contributions', TeamworkServiceService);

export const note = result({
  about: 'write a note for other moderators; nobody else sees it, and an export of the person has it',
  takes: { '<id>': idHelp, '--text <text>': { about: 'the note', required: true } },
  find: findContributionId,
  run: async (session, { id: contributionId, text }) =>
    presentNote(requireField((await teamwork(session).addNote({ contributionId, id: randomUUID(), text })).note)),
  text: (_, __, { id }) => `The note about ${id} is stored.`,
  examples: ['review note ID --text "I asked our lawyers; please wait for them."'],
});
