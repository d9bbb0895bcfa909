import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenCharacters, hiddenFault, isVisible, withoutHiddenCharacters } from './hidden-characters.js';

describe('hiddenFault', () => {
  it.each([
    ['Refund policy \u202egnp.exe', 'must not contain U+202E (right-to-left override) at character 15'],
    ['\u{1f600}\u2066x', 'must not contain U+2066 (left-to-right isolate) at character 2'],
    ['a\u200eb', 'must not contain U+200E (left-to-right mark) at character 2'],
    ['a\u200fb', 'must not contain U+200F (right-to-left mark) at character 2'],
    ['a\u061cb', 'must not contain U+061C (Arabic letter mark) at character 2'],
    ['a\u{e0041}b', 'must not contain U+E0041 (Unicode tag) at character 2'],
    ['ed\u200bitors', 'must not contain U+200B (zero-width space) at character 3'],
    ['a\u2060b', 'must not contain U+2060 (word joiner) at character 2'],
    ['\ufeffTitle', 'must not contain U+FEFF (zero-width no-break space) at character 1'],
    ['ed\u200ditors', 'must not contain U+200D (zero-width joiner) at character 3'],
    ['ed\u200citors', 'must not contain U+200C (zero-width non-joiner) at character 3'],
    ['می\u200c', 'must not contain U+200C (zero-width non-joiner) at character 3'],
    ['می\u200cx', 'must not contain U+200C (zero-width non-joiner) at character 3'],
    ['\u{1f468}\u200dx', 'must not contain U+200D (zero-width joiner) at character 2'],
    ['\u{1f468}\u200c\u{1f469}', 'must not contain U+200C (zero-width non-joiner) at character 2'],
    ['\u{1f3f4}\u{e0067}\u{e0062}', 'must not contain U+E0067 (Unicode tag) at character 2'],
    ['\u{1f3f4}\u{e007f}', 'must not contain U+E007F (Unicode tag) at character 2'],
    ['\u{1f600}\ufe0f\ufe0f', 'must not contain U+FE0F (variation selector) at character 3'],
    ['a\u{e0100}', 'must not contain U+E0100 (variation selector) at character 2'],
    ['葛\u{e0100}城市', 'must not contain U+E0100 (variation selector) at character 2'],
    ['a\ufe0fb', 'must not contain U+FE0F (variation selector) at character 2'],
    ['1\ufe0f2', 'must not contain U+FE0F (variation selector) at character 2'],
    ['a\u180b', 'must not contain U+180B (invisible character) at character 2'],
    ['a\u{e0fff}', 'must not contain U+E0FFF (invisible character) at character 2'],
    ['\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}', 'must not contain U+E0067 (Unicode tag) at character 2'],
    ['Donau&shy;dampf', 'must not contain U+00AD (soft hyphen) at character 6'],
    ['\u001b[31mred', 'must not contain U+001B (control character) at character 1'],
    ['a\u0007b', 'must not contain U+0007 (control character) at character 2'],
    ['a\u009b31mb', 'must not contain U+009B (control character) at character 2'],
    ['a\u3164b', 'must not contain U+3164 (invisible character) at character 2'],
    ['inv&#x202e;fdp.exe', 'must not contain U+202E (right-to-left override) at character 4'],
    ['&amp; x&#8203;y', 'must not contain U+200B (zero-width space) at character 8'],
    ['x&ZeroWidthSpace;y', 'must not contain U+200B (zero-width space) at character 2'],
    ['x&rlm;y &NoBreak;', 'must not contain U+200F (right-to-left mark) at character 2'],
    ['&#xE006F;', 'must not contain U+E006F (Unicode tag) at character 1'],
    ['ed&zwj;itors', 'must not contain U+200D (zero-width joiner) at character 3'],
  ])('refuses %j', (text, fault) => {
    expect(hiddenFault(text)).toBe(fault);
  });

  it.each([
    ['German', 'Über die Größe von Straßenbahnen – „Maß“ und Ziel'],
    ['tabs and line breaks', '\tone\r\ntwo\nthree'],
    ['other entities', '&lt;b&gt; &#x1f600; &unknown; &#9999999; &amp;#8203;'],
    ['a non-joiner as an entity', 'می&zwnj;خواهم'],
    ['Arabic with vowel marks', 'مَرْحَبًا بِكُمْ، 2026'],
    ['Hebrew with points', 'שָׁלוֹם עולם'],
    ['Persian with a non-joiner', 'می\u200cخواهم کتاب\u200cها را بخوانم'],
    ['a vowel mark before the non-joiner', 'کِتابِ\u200cها'],
    ['Hindi with a joiner', 'क्\u200dष श्री'],
    ['Bengali with a joiner', 'র\u200d্যাব'],
    ['Sinhala with a joiner', 'ශ්\u200dරී ලංකා'],
    ['Malayalam with a non-joiner', 'തമിഴ്\u200cനാട്'],
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466} at home'],
    ['a coloured profession', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb} and \u{1f9d1}\u{1f3ff}\u200d\u{1f680}'],
    ['a heart with its selector', '\u{1f469}\u200d\u2764\ufe0f\u200d\u{1f468}'],
    ['a gender sign', '\u{1f3c3}\u{1f3fb}\u200d\u2640\ufe0f\u200d\u27a1\ufe0f'],
    ['flags', '\u{1f1e9}\u{1f1ea} \u{1f3f3}\ufe0f\u200d\u{1f308} \u{1f3f4}\u200d\u2620\ufe0f'],
    ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['a keycap', '1\ufe0f\u20e3 first'],
    ['a variant of a Mongolian letter', 'ᠠ\u180b ᠭ\u180d'],
    ['Chinese, Japanese and Korean', '知识 ナレッジ 지식'],
  ])('accepts %s', (_, text) => {
    expect(hiddenFault(text)).toBeUndefined();
    expect(withoutHiddenCharacters(text)).toBe(text);
  });
});

describe('hiddenCharacters', () => {
  it('gives positions in characters, and stops at the requested number', () => {
    const text = `\u{1f600}\u202e${'a'.repeat(10)}\u200b${'\u200b'.repeat(8000)}`;
    expect(hiddenCharacters(text, 2)).toEqual([
      { name: 'U+202E (right-to-left override)', at: 2 },
      { name: 'U+200B (zero-width space)', at: 13 },
    ]);
  });

  it('takes linear time', () => {
    const parts = ['\u{1f3f4}\u{e0067}', '\u{1f468}\u200d', 'می\u200c', '\u{e0067}'];
    const started = performance.now();
    for (const part of parts) hiddenCharacters(part.repeat(4000));
    hiddenCharacters(`\u{1f3f4}${'\u{e0067}'.repeat(8000)}`);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('withoutHiddenCharacters', () => {
  it('removes those that are written as entities, and nothing beside them', () => {
    expect(withoutHiddenCharacters('a &lt; b&#8203;c\u202e&rlm;d&#x41;&#xe006f;e')).toBe('a &lt; bcd&#x41;e');
  });

  it('removes the codes of terminals', () => {
    expect(withoutHiddenCharacters('\u001b[31mred\u0007 \u009b0m\u0085\u007fend\r\n\t')).toBe('[31mred 0mend\r\n\t');
  });

  it('keeps a text without hidden characters, and changes a cleaned text no more', () => {
    const unit = fc.oneof(
      fc.constantFrom('\u200d', '\u200c', '\ufe0f', '\u202e', '\u{e0067}', '\u{e007f}', '\u{1f3f4}', '\u{1f468}'),
      fc.constantFrom('م', 'क', '्', 'a', ' ', '\u{1f3fd}', '\u2764'),
    );
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const once = withoutHiddenCharacters(units.join(''));
        expect(hiddenFault(once)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('isVisible', () => {
  it.each(['a', '4', '字', '★', '😀', '‏א', '¶ 1', 'é'])('is true of %j', (text) => expect(isVisible(text)).toBe(true));
  it.each([
    ...['', ' ', '\u00ad\u00ad', '\u2800', '\u0301\u0302', '\u180b', '\u3164', '\u200b', '&#8203;&zwj;', '...'],
    '\ufffc',
  ])('is false of %j', (text) => expect(isVisible(text)).toBe(false));
});
