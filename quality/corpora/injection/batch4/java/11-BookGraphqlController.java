package org.cityarchive.library;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.apache.commons.text.StringEscapeUtils;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

@Controller
public class BookGraphqlController {

    sealed interface Criterion permits TitleLike, PublishedBetween {}
    record TitleLike(String text) implements Criterion {}
    record PublishedBetween(int from, int to) implements Criterion {}
    public record Book(long id, String title) {}

    private final DataSource dataSource;

    public BookGraphqlController(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @QueryMapping
    public List<Book> books(@Argument String title, @Argument int from, @Argument int to) throws SQLException {
        Criterion criterion = title != null ? new TitleLike(title) : new PublishedBetween(from, to);
        String where = switch (criterion) {
            case TitleLike(String text) -> "title ILIKE '%" + text + "%'";
            case PublishedBetween(int lo, int hi) -> "published BETWEEN " + lo + " AND " + hi;
        };
        try (Connection c = dataSource.getConnection(); Statement st = c.createStatement()) {
            return map(st.executeQuery("SELECT id, title FROM books WHERE " + where));
        }
    }

    @QueryMapping
    public List<Book> shelf(@Argument String genre) throws SQLException {
        String predicate = switch (genre) {
            case "fiction" -> "shelf BETWEEN 100 AND 399";
            case "science" -> "shelf BETWEEN 400 AND 599";
            default -> "shelf IS NOT NULL";
        };
        try (Connection c = dataSource.getConnection(); Statement st = c.createStatement()) {
            return map(st.executeQuery("SELECT id, title FROM books WHERE " + predicate));
        }
    }

    @QueryMapping
    public List<Book> sorted(@Argument String column) throws SQLException {
        try (Connection c = dataSource.getConnection(); Statement st = c.createStatement()) {
            String sql = "SELECT id, title FROM books ORDER BY " + st.enquoteIdentifier(column, true);
            return map(st.executeQuery(sql));
        }
    }

    @SchemaMapping(typeName = "Book", field = "translations")
    public List<Book> translations(Book book, @Argument String lang) throws SQLException {
        String code = StringEscapeUtils.escapeHtml4(lang);
        String sql = "SELECT id, title FROM translations WHERE book_id = " + book.id() + " AND lang = '" + code + "'";
        try (Connection c = dataSource.getConnection(); Statement st = c.createStatement()) {
            return map(st.executeQuery(sql));
        }
    }

    private static List<Book> map(ResultSet rows) throws SQLException {
        List<Book> books = new ArrayList<>();
        while (rows.next()) {
            books.add(new Book(rows.getLong(1), rows.getString(2)));
        }
        return books;
    }
}
