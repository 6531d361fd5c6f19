/** Words of questions that say nothing of what is asked about. `who`, `where` and `when` do. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about all also am an and any anyone are as at be been but by can cannot could did do does doing don done each else ever for from
  get give got had has have he her here him his how i if in into is it its just know let like look me mean might mine more most
  much must my need no not now of off on one only or other our ours out over own please s shall she should show so some still such t
  tell than that the their them then there these they this those to too up us very want was we were what whether which while
  will with would you your`.split(/\s+/),
);
