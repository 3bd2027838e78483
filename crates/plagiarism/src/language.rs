//! The two languages of players, and one set of names for the parts of both
//! grammars, so that what follows is written once.

use std::sync::LazyLock;

use tree_sitter::Language as Grammar;

/// The language of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    Cpp,
    Rust,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::Cpp, Language::Rust];

    /// By the ending of a file's name; `None` for what is no source of a player.
    pub fn of_file(name: &str) -> Option<Language> {
        match name.rsplit_once('.')?.1 {
            "cc" | "cpp" | "cxx" | "hh" | "hpp" | "h" | "c" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }

    pub(crate) fn tables(self) -> &'static Tables {
        static CPP: LazyLock<Tables> = LazyLock::new(|| Tables::of(&tree_sitter_cpp::LANGUAGE.into()));
        static RUST: LazyLock<Tables> = LazyLock::new(|| Tables::of(&tree_sitter_rust::LANGUAGE.into()));
        match self {
            Language::Cpp => &CPP,
            Language::Rust => &RUST,
        }
    }
}

/// A grammar, and what its numbers mean here.
pub(crate) struct Tables {
    pub grammar: Grammar,
    kinds: Vec<Kind>,
    /// Brackets and the like, which are no part of anything by name.
    signs: Vec<bool>,
    fields: Vec<Field>,
}

impl Tables {
    fn of(grammar: &Grammar) -> Tables {
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let name = |id: u16| grammar.node_kind_for_id(id);
        let kinds = (0..count).map(|id| name(id).map_or(Kind::Other, Kind::of_name)).collect();
        let is_sign = |name: &str| matches!(name, "(" | ")" | "[" | "]" | "{" | "}" | ";" | ",");
        let signs = (0..count).map(|id| name(id).is_some_and(is_sign)).collect();
        let count = u16::try_from(grammar.field_count()).unwrap_or(u16::MAX);
        let fields = (0..=count).map(|id| grammar.field_name_for_id(id).map_or(Field::None, Field::of_name)).collect();
        Tables { grammar: grammar.clone(), kinds, signs, fields }
    }

    pub fn kind(&self, id: u16) -> Kind {
        self.kinds.get(usize::from(id)).copied().unwrap_or(Kind::Other)
    }

    pub fn is_sign(&self, id: u16) -> bool {
        self.signs.get(usize::from(id)).copied().unwrap_or(false)
    }

    pub fn field(&self, id: u16) -> Field {
        self.fields.get(usize::from(id)).copied().unwrap_or(Field::None)
    }
}

/// What a node of a syntax tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Punctuation, words of the language, and what has no meaning of its own:
    /// whatever is inside counts.
    Other,
    /// Comments, attributes, preprocessor lines: nothing inside counts.
    Silent,
    /// A type, where only the way of writing differs: nothing inside counts.
    Type,
    Name,
    MemberName,
    This,
    Literal,
    Binary,
    Assign,
    Unary,
    Update,
    /// `*p`, `&x`.
    Pointer,
    Paren,
    Comma,
    Call,
    Arguments,
    Index,
    Member,
    Cast,
    Ternary,
    Qualified,
    Generic,
    New,
    List,
    FieldInit,
    Range,
    Try,
    Lambda,
    MacroCall,
    TokenTree,
    LetCondition,
    If,
    While,
    Do,
    For,
    ForEach,
    Loop,
    Switch,
    Case,
    Match,
    Arm,
    ArmPattern,
    Pattern,
    Return,
    Jump,
    Block,
    Statement,
    Declaration,
    InitDeclarator,
    Declarator,
    Let,
    Function,
    Parameter,
    Named,
    Enumerator,
}

impl Kind {
    fn of_name(name: &str) -> Kind {
        Kind::of_expression(name).or_else(|| Kind::of_statement(name)).unwrap_or_else(|| Kind::of_rest(name))
    }

    fn of_expression(name: &str) -> Option<Kind> {
        Some(match name {
            "identifier"
            | "type_identifier"
            | "namespace_identifier"
            | "operator_name"
            | "destructor_name"
            | "metavariable" => Kind::Name,
            "field_identifier" | "shorthand_field_identifier" => Kind::MemberName,
            "this" | "self" => Kind::This,
            "number_literal"
            | "integer_literal"
            | "float_literal"
            | "string_literal"
            | "raw_string_literal"
            | "concatenated_string"
            | "char_literal"
            | "true"
            | "false"
            | "boolean_literal"
            | "null"
            | "negative_literal"
            | "user_defined_literal"
            | "unit_expression"
            | "sizeof_expression" => Kind::Literal,
            "binary_expression" => Kind::Binary,
            "assignment_expression" | "compound_assignment_expr" => Kind::Assign,
            "unary_expression" => Kind::Unary,
            "update_expression" => Kind::Update,
            "pointer_expression" | "reference_expression" => Kind::Pointer,
            "parenthesized_expression" => Kind::Paren,
            "comma_expression" => Kind::Comma,
            "call_expression" => Kind::Call,
            "argument_list" | "arguments" | "subscript_argument_list" => Kind::Arguments,
            "subscript_expression" | "index_expression" => Kind::Index,
            "field_expression" => Kind::Member,
            "cast_expression" | "type_cast_expression" => Kind::Cast,
            "conditional_expression" => Kind::Ternary,
            "qualified_identifier" | "scoped_identifier" | "scoped_type_identifier" => Kind::Qualified,
            "template_function" | "template_method" | "generic_function" => Kind::Generic,
            "new_expression" => Kind::New,
            "initializer_list"
            | "array_expression"
            | "tuple_expression"
            | "struct_expression"
            | "compound_literal_expression"
            | "field_initializer_list" => Kind::List,
            "field_initializer" | "initializer_pair" | "shorthand_field_initializer" => Kind::FieldInit,
            "range_expression" => Kind::Range,
            "try_expression" | "await_expression" => Kind::Try,
            "lambda_expression" | "closure_expression" => Kind::Lambda,
            "macro_invocation" => Kind::MacroCall,
            "token_tree" => Kind::TokenTree,
            "let_condition" => Kind::LetCondition,
            _ => return None,
        })
    }

    fn of_statement(name: &str) -> Option<Kind> {
        Some(match name {
            "if_statement" | "if_expression" => Kind::If,
            "while_statement" | "while_expression" => Kind::While,
            "do_statement" => Kind::Do,
            "for_statement" => Kind::For,
            "for_range_loop" | "for_expression" => Kind::ForEach,
            "loop_expression" => Kind::Loop,
            "switch_statement" => Kind::Switch,
            "case_statement" => Kind::Case,
            "match_expression" => Kind::Match,
            "match_arm" => Kind::Arm,
            "match_pattern" => Kind::ArmPattern,
            "return_statement" | "return_expression" | "throw_statement" => Kind::Return,
            "break_statement"
            | "continue_statement"
            | "break_expression"
            | "continue_expression"
            | "goto_statement" => Kind::Jump,
            "compound_statement" | "block" => Kind::Block,
            "expression_statement" => Kind::Statement,
            "declaration" | "field_declaration" => Kind::Declaration,
            "init_declarator" => Kind::InitDeclarator,
            "let_declaration" | "const_item" | "static_item" => Kind::Let,
            "function_definition" | "function_item" => Kind::Function,
            _ => return None,
        })
    }

    fn of_rest(name: &str) -> Kind {
        match name {
            "pointer_declarator"
            | "reference_declarator"
            | "array_declarator"
            | "function_declarator"
            | "parenthesized_declarator"
            | "structured_binding_declarator"
            | "variadic_declarator"
            | "attributed_declarator" => Kind::Declarator,
            "parameter_declaration"
            | "optional_parameter_declaration"
            | "parameter"
            | "closure_parameters"
            | "self_parameter"
            | "lambda_capture_initializer" => Kind::Parameter,
            "struct_specifier"
            | "class_specifier"
            | "union_specifier"
            | "enum_specifier"
            | "struct_item"
            | "enum_item"
            | "alias_declaration"
            | "type_definition"
            | "type_item"
            | "mod_item"
            | "union_item"
            | "namespace_definition"
            | "trait_item"
            | "use_as_clause"
            | "function_signature_item" => Kind::Named,
            "enumerator" | "enum_variant" => Kind::Enumerator,
            "tuple_pattern"
            | "tuple_struct_pattern"
            | "ref_pattern"
            | "mut_pattern"
            | "captured_pattern"
            | "field_pattern"
            | "struct_pattern"
            | "slice_pattern"
            | "reference_pattern"
            | "or_pattern" => Kind::Pattern,
            "comment"
            | "line_comment"
            | "block_comment"
            | "attribute_item"
            | "inner_attribute_item"
            | "attribute_declaration"
            | "preproc_include"
            | "preproc_call"
            | "preproc_def"
            | "preproc_function_def"
            | "using_declaration"
            | "use_declaration"
            | "static_assert_declaration"
            | "macro_definition"
            | "visibility_modifier"
            | "access_specifier"
            | "type_parameters"
            | "template_parameter_list"
            | "base_class_clause"
            | "where_clause"
            | "label"
            | "lifetime"
            | "lambda_capture_specifier" => Kind::Silent,
            "primitive_type"
            | "sized_type_specifier"
            | "placeholder_type_specifier"
            | "template_type"
            | "generic_type"
            | "array_type"
            | "reference_type"
            | "pointer_type"
            | "tuple_type"
            | "type_descriptor"
            | "template_argument_list"
            | "type_arguments"
            | "auto"
            | "decltype"
            | "function_type"
            | "dynamic_type"
            | "abstract_type"
            | "trailing_return_type"
            | "storage_class_specifier"
            | "type_qualifier" => Kind::Type,
            _ => Kind::Other,
        }
    }
}

/// The part that a node plays in the one above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    None,
    Left,
    Right,
    Operator,
    Condition,
    Consequence,
    Alternative,
    Body,
    Value,
    DefaultValue,
    Declarator,
    Name,
    Type,
    Function,
    Arguments,
    Argument,
    Member,
    Initializer,
    Update,
    Pattern,
    Parameters,
    Other,
}

impl Field {
    fn of_name(name: &str) -> Field {
        match name {
            "left" => Field::Left,
            "right" => Field::Right,
            "operator" => Field::Operator,
            "condition" => Field::Condition,
            "consequence" => Field::Consequence,
            "alternative" => Field::Alternative,
            "body" => Field::Body,
            "value" => Field::Value,
            "default_value" => Field::DefaultValue,
            "declarator" => Field::Declarator,
            "name" => Field::Name,
            "type" => Field::Type,
            "function" | "macro" => Field::Function,
            "arguments" | "indices" => Field::Arguments,
            "argument" => Field::Argument,
            "field" => Field::Member,
            "initializer" => Field::Initializer,
            "update" => Field::Update,
            "pattern" => Field::Pattern,
            "parameters" => Field::Parameters,
            _ => Field::Other,
        }
    }
}
