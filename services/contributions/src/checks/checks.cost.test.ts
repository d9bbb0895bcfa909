import { lineOfAddress } from '@knowledge/runtime/names';
import { tooDear } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import type { Contribution } from '../domain/contribution.js';
import { searchTerms } from '../domain/search-terms.js';
import { textFaults } from '../domain/sent-fields.js';
import { hiddenIn } from '../publications/domain.js';
import { usualBackground } from '../testing/texts.js';
import { readText } from './check.js';
import { assess } from './risk.js';
import { bandsOf, shinglesOf } from './similarity.js';

const contributionOf = (body: string) =>
  ({ title: 'A title', name: null, body, language: 'en', agentName: 'a', purpose: null, prompt: null }) as Contribution;

it('cost what the length of a text costs', { timeout: 180_000 }, () => {
  const functions = {
    textFaults: (body: string) =>
      void textFaults('story', { title: 'A title', body, name: undefined, language: undefined }, 'a@b.example', ''),
    // Every word begins the address.
    lineOfAddress: (text: string) => void lineOfAddress(text.replace(/\w+/g, 'a'), 'a.a-a.a@a.a.b'),
    assess: (text: string) => void assess(readText({ ...contributionOf(text), purpose: null }), usualBackground),
    searchTerms: (text: string) => void searchTerms(contributionOf(text)),
    'shinglesOf, bandsOf': (text: string) => void bandsOf(shinglesOf(text)),
    hiddenIn: (text: string) => void hiddenIn(contributionOf(text)),
  };
  expect(tooDear(functions, 8_000)).toEqual([]);
});
