import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { confirm } from '../../confirm.js';
import type { Session } from '../../session.js';
import { sites } from '../../words.js';
import { findActivePrompt, type PromptClient } from './find.js';

/** Asks the user before a prompt opens. The question names the active prompt, which closes for good. */
export async function confirmOpening(session: Session, prompts: PromptClient, site: Site): Promise<void> {
  if (session.yes) return;
  const active = await findActivePrompt(session, prompts, site);
  const closes =
    active === undefined
      ? `No prompt is active on ${sites.fromWire(site)}.`
      : `It closes prompt ${active.id.slice(0, 8)} for good: ${active.question}`;
  await confirm(session, `Readers of ${sites.fromWire(site)} see the question at once. ${closes}`);
}
