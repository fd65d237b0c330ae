// The odds of an offered command in a few words, from whatever shape its ruleset gives them.

const LEAST = 5; // thousandths: what is rarer is not worth a word on a button

export function chances(odds) {
  const said = outcomes(odds).filter(([, thousandths]) => thousandths >= LEAST)
    .map(([outcome, thousandths]) => `${outcome} ${percent(thousandths)}`);
  return said.join(", ") || "no effect likely";
}

function outcomes(odds) {
  if (odds.outcomes) return odds.outcomes.filter((each) => !NOTHING.has(each.outcome)).map((each) => [words(each.outcome), each.perMille]);
  if (odds.success) return [["success", thousandths(odds.success)]];
  return [];
}

const NOTHING = new Set(["no-effect", "miss", "nothing"]);

function words(outcome) { return outcome.replaceAll("-", " "); }

function thousandths({ numerator, denominator }) { return Math.round((1000 * numerator) / denominator); }

function percent(thousandths) {
  if (thousandths > 990 && thousandths < 1000) return "99 %";
  return `${Math.max(1, Math.round(thousandths / 10))} %`;
}
