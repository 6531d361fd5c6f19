package lib.catalog.graphql;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.annotation.Transactional;

@Controller
public class CatalogGraphController {

    enum BookSort {
        TITLE("b.title"), YEAR("b.publishedYear"), AUTHOR("b.author.name");

        final String path;

        BookSort(String path) {
            this.path = path;
        }
    }

    record FilterInput(String field, String value) { }

    @PersistenceContext
    private EntityManager em;

    @QueryMapping
    public List<Book> books(@Argument String title, @Argument BookSort sort) {
        return em.createQuery("select b from Book b where b.title like :title order by " + sort.path, Book.class)
                .setParameter("title", title + "%")
                .getResultList();
    }

    @QueryMapping
    public List<Book> filteredBooks(@Argument List<FilterInput> filters) {
        QueryParts parts = new QueryParts();
        filters.forEach(f -> parts.and(f.field(), f.value()));
        return parts.run(em);
    }

    @QueryMapping
    public List<Author> authors(@Argument String orderBy) {
        String order = Objects.requireNonNullElse(orderBy, "a.name");
        return em.createQuery("select a from Author a order by " + order, Author.class)
                .setMaxResults(100)
                .getResultList();
    }

    @MutationMapping
    @Transactional
    public int withdraw(@Argument String isbn) {
        String digits = isbn.replaceAll("[^0-9X]", "");
        return em.createNativeQuery("UPDATE book SET withdrawn = true WHERE isbn = '" + digits + "'")
                .executeUpdate();
    }

    static final class QueryParts {
        private final StringBuilder text = new StringBuilder("select b from Book b where b.withdrawn = false");
        private final Map<String, Object> bound = new LinkedHashMap<>();

        QueryParts and(String field, Object value) {
            String name = "p" + bound.size();
            text.append(" and b.").append(field).append(" = :").append(name);
            bound.put(name, value);
            return this;
        }

        List<Book> run(EntityManager em) {
            TypedQuery<Book> query = em.createQuery(text.toString(), Book.class);
            bound.forEach(query::setParameter);
            return query.getResultList();
        }
    }
}
