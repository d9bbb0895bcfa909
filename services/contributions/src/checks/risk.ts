import type { Finding } from '../domain/finding.js';
import {
  borrowedName,
  busyAgent,
  firstOfHuman,
  nearDuplicate,
  otherLanguage,
  publishedText,
  rejectedBefore,
  secrets,
} from './background.js';
import type { Background, BackgroundCheck, Found, TextCheck } from './check.js';
import { habits } from './habits.js';
import { hidden } from './hidden.js';
import { falseLinks, links, lookAlikeDomains, shortLinks } from './links.js';
import { markup } from './markup.js';
import { toModels } from './models.js';
import { personalData } from './personal-data.js';
import type { ReadText } from './read-text.js';
import { report } from './report.js';
import { padding, stuffing, titleContact } from './tricks.js';
import { waveLink, waveMail, waveNetwork, waveText } from './waves.js';
import { foreignScript, noSpaces, shouting } from './writing.js';

/** How much a contribution needs a close look, and why. */
export interface Assessment {
  /** From 0 to 100: the sum of the weights of all findings, at most 100. */
  risk: number;
  /** The findings, heaviest first. */
  findings: Finding[];
}

/** Runs all checks. They read at most 8,000 characters and take some milliseconds. */
export function assess(text: ReadText, background: Background): Assessment {
  const found = [
    ...Object.entries(textChecks).map(([check, run]) => named(check, run(text))),
    ...Object.entries(backgroundChecks).map(([check, run]) => named(check, run(background))),
  ].filter((each) => each !== undefined);
  const findings = found.sort((one, other) => other.weight - one.weight);
  return {
    findings,
    risk: Math.min(
      100,
      findings.reduce((sum, { weight }) => sum + weight, 0),
    ),
  };
}

function named(check: string, found: Found | undefined): Finding | undefined {
  return found && { check, ...found };
}

const textChecks: Readonly<Record<string, TextCheck>> = {
  hidden_characters: hidden,
  look_alike_domain: lookAlikeDomains,
  false_link: falseLinks,
  short_link: shortLinks,
  links,
  markup,
  report,
  personal_data: personalData,
  to_models: toModels,
  shouting,
  no_spaces: noSpaces,
  habits,
  script: foreignScript,
  title_contact: titleContact,
  stuffing,
  padding,
};

const backgroundChecks: Readonly<Record<string, BackgroundCheck>> = {
  wave_link: waveLink,
  wave_mail: waveMail,
  wave_network: waveNetwork,
  wave_text: waveText,
  borrowed_name: borrowedName,
  near_duplicate: nearDuplicate,
  published_text: publishedText,
  secrets,
  language: otherLanguage,
  rejected_before: rejectedBefore,
  busy_agent: busyAgent,
  first_contribution: firstOfHuman,
};
