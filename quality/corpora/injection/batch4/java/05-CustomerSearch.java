package eu.nordcrm.customers;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.servlet.*;
import jakarta.servlet.http.*;
import jakarta.transaction.Transactional;
import java.io.IOException;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.filter.OncePerRequestFilter;

class TenantContext {
    private static final ThreadLocal<String> CURRENT = ThreadLocal.withInitial(() -> "main");
    static void set(String tenant) { CURRENT.set(tenant); }
    static String get() { return CURRENT.get(); }
}

@Component
class TenantFilter extends OncePerRequestFilter {
    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) throws ServletException, IOException {
        String tenant = request.getHeader("X-Tenant");
        if (tenant != null) {
            TenantContext.set(tenant);
        }
        chain.doFilter(request, response);
    }
}

enum Tier { BRONZE, SILVER, GOLD }

class UnknownCustomerException extends RuntimeException {
    UnknownCustomerException(String reference) { super("no customer " + reference); }
}

abstract class AbstractSearch {
    @PersistenceContext
    protected EntityManager em;

    protected abstract String orderClause(String sort);

    protected List<?> run(String sort) {
        String jpql = "select c from Customer c where c.active = true" + orderClause(sort);
        return em.createQuery(jpql).setMaxResults(100).getResultList();
    }
}

@RestController
@RequestMapping("/customers")
public class CustomerSearch extends AbstractSearch {

    @Override
    protected String orderClause(String sort) {
        return sort.isBlank() ? "" : " order by c." + sort;
    }

    @GetMapping
    public List<?> all(@RequestParam(defaultValue = "") String sort) {
        return run(sort);
    }

    @GetMapping("/tier/{tier}")
    public List<?> byTier(@PathVariable Tier tier) {
        return em.createQuery("select c.id from Customer c where c.tier = '" + tier.name() + "'").getResultList();
    }

    @GetMapping("/{id}/invoices")
    public List<?> invoices(@PathVariable long id) {
        return em.createNativeQuery("SELECT number, cents FROM " + TenantContext.get() + ".invoices WHERE customer_id = :id")
                .setParameter("id", id).getResultList();
    }

    @Transactional
    @PostMapping("/touch")
    public void touch(@RequestParam String reference) {
        try {
            find(reference);
        } catch (UnknownCustomerException e) {
            em.createNativeQuery("INSERT INTO audit_log (message) VALUES ('" + e.getMessage() + "')").executeUpdate();
        }
    }

    private Object find(String reference) {
        List<?> hits = em.createQuery("select c from Customer c where c.reference = :ref").setParameter("ref", reference).getResultList();
        return hits.stream().findFirst().map(Object.class::cast).orElseThrow(() -> new UnknownCustomerException(reference));
    }
}
