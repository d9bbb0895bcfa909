import { group, list, result } from '../command-table.js';
import { idHelp, resolveId } from '../ids.js';
import { limit, reason } from '../options.js';
import { cancelErasure, confirmErasure } from '../person/erase-person.js';
import { type PersonServices, personServices } from '../person/person-services.js';
import { erasureColumns, presentErasure } from '../present/erasure.js';
import { count } from '../print/count.js';
import type { Session } from '../session.js';

async function openErasures({ erasures, call }: PersonServices) {
  const page = await erasures.listErasures({ all: false, email: '', pageSize: 200, pageToken: '' }, call());
  return page.erasures.map(presentErasure);
}

function findErasure(session: Session, word: string): Promise<string> {
  const services = personServices(session);
  return resolveId(word, () => openErasures(services), 'open erasure');
}

/** `knowledge erasure …`, for support (SECURITY.md#erasing-a-person). */
export const erasure = group({
  commands: {
    list: list({
      about: 'list the erasures that wait for a second person or are not finished, oldest first',
      takes: { '--all': 'also those of the last 30 days that are done or cancelled', ...limit },
      run: async (session, { all }, page) => {
        const { erasures, call } = personServices(session);
        const found = await erasures.listErasures({ all, email: '', ...page }, call());
        return { items: found.erasures.map(presentErasure), nextPageToken: found.nextPageToken };
      },
      columns: erasureColumns,
      one: 'erasure',
      none: () => 'No erasure waits for a second person.',
      examples: ['erasure list', 'erasure list --all --json'],
    }),
    confirm: result({
      about: 'confirm the erasure that another staff member asked for, and do it. Safe to repeat',
      takes: { '<id>': idHelp },
      find: findErasure,
      question: () => 'Erase this person? It cannot be undone.',
      preview: async (session, { id }) => {
        const asked = (await openErasures(personServices(session))).find((each) => each.id === id);
        if (asked === undefined) return 'This erasure is not open.';
        const work = asked.with_work ? 'Published work is deleted too.' : 'Published work stays without its name.';
        return `${asked.asked_by} asks to erase ${asked.email}: ${asked.reason}\nIts tokens end; its requests, mails and contributions are deleted. ${work}`;
      },
      run: (session, { id }) => confirmErasure(personServices(session), id),
      text: ({ email, tokens, authorizations, contributions, anonymized }) => {
        const kept = `${count(anonymized, 'published one')} ${anonymized === 1 ? 'stays' : 'stay'} without a name`;
        const gone = `${count(tokens, 'token')}, ${count(authorizations, 'authorization request')}`;
        return `Erased ${email ?? 'this person'}: ${gone} and ${count(contributions, 'contribution')}; ${kept}.`;
      },
      examples: ['erasure confirm ID', 'erasure confirm ID --yes'],
    }),
    cancel: result({
      about: 'cancel an erasure that waits for a second person',
      takes: { '<id>': idHelp, ...reason('why; stored with your name') },
      find: findErasure,
      run: (session, { id, reason }) => cancelErasure(personServices(session), id, reason),
      text: ({ id }) => `The erasure ${id} is cancelled; nothing was erased.`,
      examples: ['erasure cancel ID --reason "the wrong address"'],
    }),
  },
  examples: ['erasure list', 'erasure confirm ID'],
});
