import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { bounds } from '@knowledge/runtime/product';
import { few, finder, idHelp, idsHelp } from '../base/ids.js';
import { callsOf, type Session } from '../base/session.js';
import { type Columns, idColumn, stateColumn } from '../base/table.js';
import { formatDetails, formatText, type Lines, type Paint } from '../base/text.js';
import { readableTime } from '../base/time.js';
import { formatHistory, presentTransition } from '../base/transition.js';
import { requireField, sites } from '../base/words.js';
import { confirm } from '../terminal/ask.js';
import { eachNamed, group, list, result } from '../terminal/command-table.js';
import { limit, parseTime, reason, requiredSite, site } from '../terminal/options.js';
import { type PromptView, presentPrompt, promptStates } from './present.js';

const prompts = callsOf('contributions', PromptServiceService);

const question = {
  '--question <text>': { about: `${bounds.question.min} to ${bounds.question.max} characters`, required: true },
} as const;

const findPrompt = finder('prompt', prompts, async ({ listPrompts }, idPrefix) => {
  const any = { site: Site.UNSPECIFIED, state: PromptState.UNSPECIFIED };
  const { prompts: found } = await listPrompts({ ...few, ...any, idPrefix });
  return found;
});

async function readPrompt(session: Session, id: string) {
  const { prompt, history } = await prompts(session).getPromptRecord({ id });
  return { ...presentPrompt(requireField(prompt)), history: history.map(presentTransition) };
}

/** Asks before a prompt opens. The question names the active prompt, which closes for good. */
async function confirmOpening(session: Session, site: string) {
  if (session.yes) return;
  const page = { state: PromptState.ACTIVE, pageSize: 1, pageToken: '' };
  const [active] = (await prompts(session).listPrompts({ ...page, site: sites.toWire(site) })).prompts;
  const closes =
    active === undefined
      ? `No prompt is active on ${site}.`
      : `It closes prompt ${active.id.slice(0, 8)} for good: ${active.question}`;
  await confirm(session, `Readers of ${site} see the question at once. ${closes}`);
}

const columns: Columns<PromptView> = {
  ...idColumn,
  site: 'site',
  ...stateColumn,
  question: { value: 'question', flexible: 30 },
  'opens, UTC': { value: 'opens_at', dropPriority: 2 },
  'closes, UTC': { value: 'closes_at', dropPriority: 1 },
};

/** `knowledge prompt …`, for editors. */
export const prompt = group({
  commands: {
    create: result({
      about: 'create a prompt: scheduled, or active at once with --activate',
      takes: {
        ...requiredSite,
        ...question,
        '--opens-at <time>': {
          about: 'the time at which it opens by itself (RFC 3339, or a date)',
          parse: parseTime,
        },
        '--closes-at <time>': { about: 'the time at which it closes by itself', parse: parseTime },
        '--activate': "open it now; the site's active prompt is closed in the same step",
      },
      run: async (session, { site, ...given }) => {
        const client = prompts(session);
        if (given.activate) await confirmOpening(session, site);
        const { prompt } = await client.createPrompt({ id: randomUUID(), site: sites.toWire(site), ...given });
        return presentPrompt(requireField(prompt));
      },
      text: ({ id, state, opens_at }, _, { site }) => {
        const when = state === 'scheduled' && opens_at !== null ? `, opens ${readableTime(opens_at)} UTC` : '';
        return `Prompt ${id} on ${site} is ${state}${when}.`;
      },
      examples: [
        'prompt create --site org --question "Which rollout did you stop, and what told you to?" --activate',
        'prompt create --site org --question "What did you switch off this year?" --opens-at 2027-01-04 --closes-at 2027-02-01',
      ],
    }),
    correct: result({
      about: 'change the question of a scheduled prompt, which readers have not seen yet',
      takes: { '<id>': idHelp, ...question, ...reason() },
      find: findPrompt,
      run: async (session, given) => presentPrompt(requireField((await prompts(session).correctPrompt(given)).prompt)),
      text: (now, _, { id }) => `Prompt ${id} on ${now.site} is corrected: ${now.question}`,
      examples: ['prompt correct ID --question "Which rollout did you stop, and what told you to?"'],
    }),
    activate: result({
      about: "open a scheduled prompt; the site's active one is closed in the same step, for good",
      takes: { '<id>': idHelp },
      find: findPrompt,
      run: async (session, { id }) => {
        if (!session.yes) {
          const { site, state } = await readPrompt(session, id);
          if (state === 'scheduled') await confirmOpening(session, site);
        }
        return presentPrompt(requireField((await prompts(session).activatePrompt({ id })).prompt));
      },
      text: formatState,
      examples: ['prompt activate ID'],
    }),
    close: result({
      about: 'close a scheduled or active prompt for good',
      takes: { '<id>': idHelp },
      find: findPrompt,
      run: async (session, { id }) => {
        if (!session.yes) {
          const { question, state } = await readPrompt(session, id);
          if (state !== 'closed') await confirm(session, `Close the ${state} prompt for good: ${question}`);
        }
        return presentPrompt(requireField((await prompts(session).closePrompt({ id })).prompt));
      },
      text: formatState,
      examples: ['prompt close ID'],
    }),
    show: eachNamed({
      about: 'show prompts with their whole question and their history',
      takes: { '<id...>': idsHelp },
      find: findPrompt,
      run: readPrompt,
      text: formatPrompt,
      between: '\n\n\n',
      examples: ['prompt show ID'],
    }),
    list: list({
      about: 'list prompts, newest first',
      takes: {
        ...site('only this site'),
        '--state <state>': { about: 'only this state', choices: promptStates.words },
        ...limit,
      },
      run: (session, { site, state }, page) =>
        prompts(session).listPrompts({ site: sites.toWire(site), state: promptStates.toWire(state), ...page }),
      items: (page) => page.prompts.map(presentPrompt),
      columns: columns,
      one: 'prompt',
      examples: ['prompt list --site org', 'prompt list --state active --json'],
    }),
  },
  examples: [
    'prompt list --site org',
    'prompt create --site org --question "Which rollout did you stop?" --activate',
    'prompt close ID',
  ],
});

function formatState({ id, site, state }: PromptView) {
  return `Prompt ${id} on ${site} is ${state}.`;
}

function formatPrompt(prompt: Awaited<ReturnType<typeof readPrompt>>, paint: Paint) {
  const { history, question } = prompt;
  return formatDetails(prompt, lines, paint) + formatHistory(history, paint) + formatText('Question', question, paint);
}

const lines: Lines<PromptView> = {
  id: 'id',
  site: 'site',
  state: 'state',
  'opens, UTC': 'opens_at',
  'closes, UTC': 'closes_at',
  'made, UTC': 'created_at',
  revision: 'revision',
};
