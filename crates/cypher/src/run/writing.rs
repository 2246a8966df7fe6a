//! Clauses that change the graph.

use std::collections::BTreeSet;

use kg::property::{EdgeId, Element, NodeId, Properties, PropertyValue};

use super::operators::deleted;
use super::{Ran, Row, Run, type_fault};
use crate::ast::{
    Direction, Expr, ExprKind, Key, LabelExpr, Merge, PathPattern, RemoveItem, SetItem,
};
use crate::error::{Cause, CypherError, CypherErrorKind};
use crate::value::CypherValue;

/// About what a node or an edge takes, beside its properties.
const BYTES_AN_ELEMENT: usize = 256;

impl Run<'_, '_> {
    pub(super) fn create_rows(
        &mut self,
        paths: &[PathPattern],
        mut rows: Vec<Row>,
    ) -> Ran<Vec<Row>> {
        for row in &mut rows {
            for path in paths {
                self.create_path(path, row)?;
            }
        }
        Ok(rows)
    }

    /// Makes what a path has and is not there yet.
    fn create_path(&mut self, path: &PathPattern, row: &mut Row) -> Ran<()> {
        for node in path.nodes.iter().filter(|node| !node.is_bound) {
            self.shared.budget.write(BYTES_AN_ELEMENT)?;
            let properties = self.new_properties(node.properties.as_ref(), row)?;
            let labels = node.labels.as_ref().and_then(LabelExpr::all_of).unwrap_or_default();
            let id = self.writing()?.create_node(labels, properties)?;
            row[node.variable.slot] = CypherValue::Node(id);
        }
        for (i, edge) in path.edges.iter().enumerate() {
            let end = |i: usize| {
                let variable = &path.nodes[i].variable;
                match &row[variable.slot] {
                    CypherValue::Node(id) => Ok(*id),
                    other => {
                        let message = format!("{} is {}, and no node", variable.name, other.sort());
                        type_fault(message)
                    }
                }
            };
            let (left, right) = (end(i)?, end(i + 1)?);
            self.shared.budget.write(BYTES_AN_ELEMENT)?;
            let properties = self.new_properties(edge.properties.as_ref(), row)?;
            let types = edge.types.as_ref().and_then(LabelExpr::all_of).unwrap_or_default();
            let edge_type = types.first().copied().unwrap_or_default();
            let (source, target) =
                if edge.direction == Direction::In { (right, left) } else { (left, right) };
            let id = self.writing()?.create_edge(source, edge_type, target, properties)?;
            row[edge.variable.slot] = CypherValue::Edge(id);
        }
        if let Some(variable) = &path.variable {
            row[variable.slot] = self.path_value(path, row);
        }
        Ok(())
    }

    fn new_properties(&self, expr: Option<&Expr>, row: &mut Row) -> Ran<Properties> {
        let Some(expr) = expr else { return Ok(Properties::new()) };
        match self.eval(expr, row)? {
            CypherValue::Map(map) => {
                let mut properties = Properties::new();
                for (name, value) in map.iter() {
                    if let Some(value) = self.as_property(name, value)? {
                        properties.insert(name.clone(), value);
                    }
                }
                Ok(properties)
            }
            other => type_fault(format!("properties are a map, not {}", other.sort())),
        }
    }

    pub(super) fn merge_rows(&mut self, merge: &Merge, rows: Vec<Row>) -> Ran<Vec<Row>> {
        let mut out = Vec::new();
        for mut row in rows {
            self.check_merge(&merge.path, &mut row)?;
            let mut found = Vec::new();
            self.each_match(&merge.path, &mut row.clone(), &mut |row| {
                self.shared.budget.rows(found.len() + 1)?;
                found.push(row.clone());
                Ok(true)
            })?;
            let items = if found.is_empty() {
                self.create_path(&merge.path, &mut row)?;
                found.push(row);
                &merge.on_create
            } else {
                &merge.on_match
            };
            for mut row in found {
                self.set_row(items, &mut row)?;
                self.shared.budget.rows(out.len() + 1)?;
                out.push(row);
            }
        }
        Ok(out)
    }

    /// A null in a pattern would be found never, and made again each time.
    fn check_merge(&self, path: &PathPattern, row: &mut Row) -> Ran<()> {
        for node in path.nodes.iter().filter(|node| node.is_bound) {
            if row[node.variable.slot].is_null() {
                let message = format!("{} is null, and no node", node.variable.name);
                return type_fault(message);
            }
        }
        let nodes = path.nodes.iter().map(|node| &node.properties);
        let edges = path.edges.iter().map(|edge| &edge.properties);
        for properties in nodes.chain(edges).flatten() {
            let ExprKind::Map(entries) = &properties.kind else { continue };
            for (name, value) in entries {
                if self.eval(value, row)?.is_null() {
                    let error = CypherError::run(
                        CypherErrorKind::SemanticError,
                        Cause::MergeReadOwnWrites,
                        format!("MERGE cannot look for {name}: null"),
                    );
                    return Err(error.or_at(value.at).hint("leave it out, and SET it afterwards"));
                }
            }
        }
        Ok(())
    }

    pub(super) fn set_rows(&mut self, items: &[SetItem], mut rows: Vec<Row>) -> Ran<Vec<Row>> {
        for row in &mut rows {
            self.set_row(items, row)?;
        }
        Ok(rows)
    }

    fn set_row(&mut self, items: &[SetItem], row: &mut Row) -> Ran<()> {
        for item in items {
            match item {
                SetItem::Property { target, key, value } => {
                    let target = self.eval(target, row)?;
                    let key = self.key(key, row)?;
                    let value = self.eval(value, row)?;
                    let Some(element) = self.element(&target)? else { continue };
                    let value = self.as_property(&key, &value)?;
                    self.writing()?.set_property(element, &key, value)?;
                }
                SetItem::Properties { target, value, keep } => {
                    let target = row[target.slot].clone();
                    let value = self.eval(value, row)?;
                    let Some(element) = self.element(&target)? else { continue };
                    self.set_all(element, &value, *keep)?;
                }
                SetItem::Labels { target, labels } => {
                    let target = row[target.slot].clone();
                    let Some(id) = self.node(&target)? else { continue };
                    for label in labels {
                        self.shared.budget.write(label.len())?;
                        self.writing()?.add_label(id, label)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn set_all(&mut self, element: Element, value: &CypherValue, keep: bool) -> Ran<()> {
        let CypherValue::Map(new) = self.properties(value)? else {
            return type_fault("all properties at once are a map, not null");
        };
        if !keep {
            let old = self.graph().properties(element);
            let names: Vec<String> = old.into_iter().flatten().map(|(k, _)| k.clone()).collect();
            for name in names.iter().filter(|name| !new.contains_key(*name)) {
                self.writing()?.set_property(element, name, None)?;
            }
        }
        for (name, value) in new.iter() {
            let value = self.as_property(name, value)?;
            self.writing()?.set_property(element, name, value)?;
        }
        Ok(())
    }

    fn key(&self, key: &Key, row: &mut Row) -> Ran<String> {
        match key {
            Key::Name(name) => Ok(name.clone()),
            Key::Computed(expr) => match self.eval(expr, row)? {
                CypherValue::Text(name) => Ok(name.to_string()),
                other => {
                    type_fault(format!("the name of a property is a text, not {}", other.sort()))
                }
            },
        }
    }

    /// The node or edge that is to be changed; nothing for null.
    fn element(&self, value: &CypherValue) -> Ran<Option<Element>> {
        let element = match value {
            CypherValue::Null => return Ok(None),
            CypherValue::Node(id) => Element::Node(*id),
            CypherValue::Edge(id) => Element::Edge(*id),
            other => return type_fault(format!("{} has no properties to set", other.sort())),
        };
        if self.graph().properties(element).is_none() {
            return deleted("node or relationship");
        }
        Ok(Some(element))
    }

    fn node(&self, value: &CypherValue) -> Ran<Option<NodeId>> {
        match value {
            CypherValue::Null => Ok(None),
            CypherValue::Node(id) => Ok(Some(*id)),
            other => type_fault(format!("only nodes have labels, not {}", other.sort())),
        }
    }

    pub(super) fn remove_rows(
        &mut self,
        items: &[RemoveItem],
        mut rows: Vec<Row>,
    ) -> Ran<Vec<Row>> {
        for row in &mut rows {
            for item in items {
                match item {
                    RemoveItem::Property { target, key } => {
                        let target = self.eval(target, row)?;
                        let key = self.key(key, row)?;
                        if let Some(element) = self.element(&target)? {
                            self.writing()?.set_property(element, &key, None)?;
                        }
                    }
                    RemoveItem::Labels { target, labels } => {
                        let target = row[target.slot].clone();
                        let Some(id) = self.node(&target)? else { continue };
                        for label in labels {
                            self.writing()?.remove_label(id, label)?;
                        }
                    }
                }
            }
        }
        Ok(rows)
    }

    /// Deletes what all rows name, edges first: the order in which a query names them does not
    /// count.
    pub(super) fn delete_rows(
        &mut self,
        detach: bool,
        what: &[Expr],
        mut rows: Vec<Row>,
    ) -> Ran<Vec<Row>> {
        let (mut nodes, mut edges) = (BTreeSet::new(), BTreeSet::new());
        for row in &mut rows {
            for expr in what {
                match self.eval(expr, row)? {
                    CypherValue::Null => {}
                    CypherValue::Node(id) => _ = nodes.insert(id),
                    CypherValue::Edge(id) => _ = edges.insert(id),
                    CypherValue::Path(path) => {
                        nodes.extend(path.nodes.iter().copied());
                        edges.extend(path.edges.iter().copied());
                    }
                    other => {
                        let message = format!(
                            "only nodes, relationships and paths are deleted, not {}",
                            other.sort()
                        );
                        return type_fault(message);
                    }
                }
            }
        }
        // What is not there any more needs no deleting.
        nodes.retain(|id| self.graph().node(*id).is_some());
        if detach {
            for id in &nodes {
                edges.extend(self.graph().at(*id));
            }
        }
        edges.retain(|id| self.graph().edge(*id).is_some());
        for id in edges {
            self.delete_edge(id)?;
        }
        for id in nodes {
            self.shared.budget.spend(1)?;
            self.writing()?.delete_node(id)?;
        }
        Ok(rows)
    }

    fn delete_edge(&mut self, id: EdgeId) -> Ran<()> {
        self.shared.budget.spend(1)?;
        let edge = self.writing()?.delete_edge(id)?;
        self.shared.gone.borrow_mut().insert(id, edge.edge_type);
        Ok(())
    }

    fn as_property(&self, name: &str, value: &CypherValue) -> Ran<Option<PropertyValue>> {
        // What is written is a copy, however many rows share the value.
        self.shared.budget.write(name.len() + value.size() * size_of::<PropertyValue>())?;
        value.to_property().map_err(|sort| {
            let message = format!("property {name} cannot be {sort}");
            let error =
                CypherError::run(CypherErrorKind::TypeError, Cause::InvalidPropertyType, message);
            error.hint("give its parts names of their own")
        })
    }
}
