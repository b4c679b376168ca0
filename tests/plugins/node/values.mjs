/**
 * Values as JSON, as every driver reads them, and how they compare with what a component answers.
 *
 * Docs: `tests/plugins/README.md`, "Values as JSON". No table of types is needed: the JSON names 64-bit numbers and floats, and jco's values name themselves.
 */

/** The value that the JSON stands for, as the binding takes it. */
export function value(json) {
  if (json === null) {
    return undefined;
  }
  if (typeof json !== 'object') {
    return json;
  }
  if (Array.isArray(json)) {
    return json.map(value);
  }
  if ('i64' in json) {
    return BigInt(json.i64);
  }
  if ('f64' in json) {
    return new DataView(BigInt64Array.of(BigInt(`0x${json.f64}`)).buffer).getFloat64(0, true);
  }
  return Object.fromEntries(Object.entries(json).map(([name, json]) => [name, value(json)]));
}

/** Whether a component answered with this value: fields may be missing instead of `undefined`, and lists of numbers be typed arrays. */
export function alike(expected, actual) {
  if (typeof expected !== 'object' || typeof actual !== 'object' || !expected || !actual) {
    return Object.is(expected, actual);
  }
  if (Array.isArray(expected)) {
    const list = Array.isArray(actual) || ArrayBuffer.isView(actual);
    return list && expected.length === actual.length && expected.every((item, index) => alike(item, actual[index]));
  }
  return Object.keys({ ...expected, ...actual }).every((name) => alike(expected[name], actual[name]));
}
