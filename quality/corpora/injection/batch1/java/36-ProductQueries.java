package shop.query;

import static org.jooq.impl.DSL.*;

import java.util.List;
import javax.persistence.EntityManager;
import javax.persistence.criteria.*;
import org.jooq.DSLContext;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/products")
public class ProductQueries {

    private final EntityManager em;
    private final DSLContext dsl;

    public ProductQueries(EntityManager em, DSLContext dsl) {
        this.em = em;
        this.dsl = dsl;
    }

    @GetMapping
    public List<Product> byMaker(@RequestParam String maker) {
        CriteriaBuilder cb = em.getCriteriaBuilder();
        CriteriaQuery<Product> q = cb.createQuery(Product.class);
        Root<Product> root = q.from(Product.class);
        q.select(root).where(cb.equal(root.get("maker"), maker));
        return em.createQuery(q).getResultList();
    }

    @GetMapping("/jpql")
    public List<Product> byColor(@RequestParam String color) {
        return em.createQuery("SELECT p FROM Product p WHERE p.color = '" + color + "'", Product.class).getResultList();
    }

    @GetMapping("/jooq")
    public int count(@RequestParam String sku) {
        return dsl.fetchCount(table("product"), field("sku").eq(sku));
    }

    @GetMapping("/jooq/raw")
    public List<Object> raw(@RequestParam String tag) {
        return dsl.fetch("SELECT id FROM product WHERE tag = '" + tag + "'").getValues(field("id"));
    }
}
