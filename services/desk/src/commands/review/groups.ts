import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { rules } from '@knowledge/runtime/product';
import { groupLimits, mostTogether, readGroup } from '../../actions/review/records.js';
import { command } from '../../command-table.js';
import { confirm } from '../../confirm.js';
import { DeskError, UsageError } from '../../desk-error.js';
import { shortId } from '../../ids.js';
import { requiredReason } from '../../options.js';
import { titleOf } from '../../present/first-words.js';
import { commonWords, type GroupView, presentGroup, ruleHint } from '../../present/group-words.js';
import { count } from '../../print/count.js';
import type { Column } from '../../print/table.js';
import { timestamp } from '../../print/time.js';
import { moderation } from './find.js';

export const groups = command({
  about: 'show what waiting contributions have in common: a wave of texts is one line',
  async run(session) {
    const { groups, more = 0, held } = await moderation(session).listContributionGroups({});
    const labels = { one: 'group', none: 'No five of those that wait have anything in common.', cut: more > 0 };
    session.print.list(groups.map(presentGroup), columns, labels);
    const { note } = session.print;
    if (more > 0) note(`${count(more, 'smaller group')} more: they show when these are decided.`);
    const hint = groups.map(ruleHint).find((each) => each !== undefined);
    if (hint !== undefined) note(hint);
    for (const { groupId, contributions, actor, takesEffectAt } of held) {
      const until = takesEffectAt?.toISOString().slice(11, 19);
      note(
        `${actor} rejected ${count(contributions, 'text')}. Until ${until} UTC this takes all back: knowledge review undo --group ${groupId}`,
      );
    }
  },
  examples: [
    'review groups',
    'review list --group link:example.org',
    'review list --group none',
    'review reject-group link:example.org@2026-11-26T08:00:00.000Z --reason "It is an advertisement." --end-agents',
  ],
});

const columns: readonly Column<GroupView>[] = [
  { header: 'texts', value: ({ contributions }) => contributions, alignRight: true },
  { header: 'humans', value: ({ humans }) => humans, alignRight: true },
  { header: 'they', value: ({ key }) => commonWords(key), flexible: true },
  { header: 'key', value: ({ key_at_time }) => key_at_time, neverCut: true },
];

export const rejectGroup = command({
  about: `reject all waiting contributions of a group at once, and close its inquiries; it takes effect in ${rules.undoSeconds} seconds, and until then "review undo --group" takes all back`,
  takes: {
    '<key>': 'the group; KEY@TIME as "review groups" prints it, to leave what came or changed since',
    ...requiredReason('why; each human gets it, in one mail'),
    '--end-agents': 'end the access of the agents too, and withdraw what else they sent that waits',
    '--except <ids...>': 'leave these texts as they are, and the access of their agents',
  },
  async run(session, { key: word, reason, endAgents, except = [] }) {
    const [, key = word, time] = /^(.+)@(\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(word) ?? [];
    if (time === undefined && session.yes) {
      throw new UsageError(
        'With --yes give KEY@TIME as "review groups" prints it: what came after your look must stay.',
      );
    }
    const limited = session.connect('contributions', ModerationServiceService, groupLimits);
    const waiting = await readGroup(limited, key, () => session.callContext());
    const seen = waiting.filter(
      ({ updated_at }) => time === undefined || Date.parse(updated_at ?? '') <= Date.parse(time),
    );
    const left = except.map((id) => {
      const found = seen.filter((each) => each.id_at_revision.startsWith(id));
      if (found.length === 1) return found[0] as (typeof seen)[number];
      throw new UsageError(
        `--except ${id}: ${found.length === 0 ? 'no text' : 'more than one text'} of this group has this id.`,
      );
    });
    const texts = seen.filter((each) => !left.includes(each));
    if (waiting.length === mostTogether)
      session.print.note(`These are the first ${mostTogether}; run it again for the rest.`);
    if (seen.length < waiting.length) {
      session.print.note(
        `${count(waiting.length - seen.length, 'text')} came or changed since your look and will stay.`,
      );
    }
    if (texts.length === 0) throw new DeskError('not_found', 'No text of this group waits for a decision.');
    const humans = new Set(texts.map(({ email }) => email)).size;
    const kept = left.map(({ authorization_id }) => authorization_id);
    const ended = new Set(texts.map(({ authorization_id }) => authorization_id).filter((id) => !kept.includes(id)))
      .size;
    const agents = endAgents ? ` The access of ${count(ended, 'agent')} ends too.` : '';
    const lines = texts.map(
      (each) => `${shortId(each.id_at_revision)}  risk ${each.risk}  ${each.email}  ${titleOf(each)}`,
    );
    await confirm(
      session,
      `Reject ${count(texts.length, 'contribution')} of ${count(humans, 'human')} that ${commonWords(key)}?${agents} Each human gets one mail.`,
      lines.join('\n'),
    );
    const contributions = texts.map(({ id, revision }) => ({ id, revision }));
    const request = { contributions, reason, endAgents, keptAuthorizationIds: kept };
    const done = await limited.rejectGroup(request, session.callContext());
    const view = {
      group_id: done.groupId,
      decided: done.decided,
      left: done.left,
      takes_effect_at: timestamp(done.takesEffectAt),
    };
    session.print.result(view, ({ group_id, decided, left, takes_effect_at }) =>
      [
        `Rejected ${count(decided, 'contribution')}; takes effect at ${takes_effect_at?.slice(11, 19)} UTC.${agents} Until then "knowledge review undo --group ${group_id}" takes all back.`,
        ...left.map(({ id, reason: why }) => `${id} stays: ${why}`),
        ruleHint({ key, humans }),
      ]
        .filter((line) => line !== undefined)
        .join('\n'),
    );
  },
  examples: [
    'review reject-group link:example.org --reason "It is an advertisement."',
    'review reject-group mail:example.org@2026-11-26T08:00:00.000Z --reason "It is an advertisement." --end-agents --yes',
  ],
});
