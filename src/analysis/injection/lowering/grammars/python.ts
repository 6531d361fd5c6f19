import type { Grammar } from '../grammar.ts';
import { allInField, inField } from '../../syntax-tree.ts';

/** tree-sitter-python 0.25. */
export const python: Grammar = {
  roles: {
    skip: 'comment string_start string_end type type_conversion format_specifier decorator keyword_separator positional_separator',
    name: 'identifier dotted_name',
    constant: 'integer float true false none ellipsis',
    string: 'string concatenated_string',
    fragment: 'string_content',
    member: 'attribute',
    index: 'subscript',
    call: 'call',
    binary: 'binary_operator boolean_operator',
    comparison: 'comparison_operator',
    not: 'not_operator',
    unary: 'unary_operator',
    wrapper: 'await',
    assign: 'assignment augmented_assignment',
    declarator: 'named_expression as_pattern',
    conditional: 'conditional_expression',
    if: 'if_statement elif_clause',
    loop: 'while_statement',
    'for-each': 'for_statement',
    comprehension: 'list_comprehension set_comprehension generator_expression dictionary_comprehension',
    switch: 'match_statement',
    case: 'case_clause',
    try: 'try_statement',
    handler: 'except_clause',
    function: 'function_definition lambda',
    decorated: 'decorated_definition',
    class: 'class_definition',
    list: 'list tuple set expression_list pattern_list tuple_pattern list_pattern',
    record: 'dictionary',
    spread: 'list_splat dictionary_splat',
    pair: 'pair keyword_argument',
    yield: 'yield',
    assert: 'assert_statement',
    return: 'return_statement raise_statement',
    jump: 'break_statement continue_statement',
    import: 'import_statement import_from_statement future_import_statement',
    'outer-names': 'global_statement nonlocal_statement',
  },
  concatOperators: ['+', '%', '/'],
  appendOperators: ['+='],
  coalesceOperators: [],
  scalarTypes: /^(int|float|bool|complex|Decimal|UUID|uuid\.UUID|date|datetime|(?:typing\.)?Literal\[['"\d].*)$/,
  recordsIterate: 'keys',
  implicitReturn: false,
  localByAssignment: 'functions',
  imports(node, text) {
    const module = inField(node, 'module_name');
    return allInField(node, 'name').map((named) => {
      const alias = inField(named, 'alias');
      const origin = text(inField(named, 'name') ?? named);
      if (module !== undefined) return [text(alias ?? named), `${text(module)}.${origin}`] as const;
      const top = origin.split('.')[0]!;
      return alias === undefined ? ([top, top] as const) : ([text(alias), origin] as const);
    });
  },
};
