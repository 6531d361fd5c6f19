package ch.alpenpay.billing;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.*;
import org.apache.ibatis.jdbc.SQL;
import org.springframework.web.bind.annotation.*;

@Mapper
interface InvoiceMapper {

    @Select("SELECT id, number, cents FROM invoices WHERE customer_id = #{customerId} ORDER BY ${order}")
    List<Map<String, Object>> byCustomer(@Param("customerId") long customerId, @Param("order") String order);

    @Select("SELECT id, number, cents FROM invoices WHERE due < #{day} LIMIT ${limit}")
    List<Map<String, Object>> overdue(@Param("day") LocalDate day, @Param("limit") int limit);

    @SelectProvider(type = InvoiceSql.class, method = "search")
    List<Map<String, Object>> search(@Param("status") String status, @Param("note") String note);

    @Update("UPDATE ${table} SET archived = TRUE WHERE id = #{id}")
    int archive(@Param("table") String table, @Param("id") long id);

    class InvoiceSql {
        public String search(@Param("status") String status, @Param("note") String note) {
            SQL sql = new SQL().SELECT("id", "number", "status").FROM("invoices").WHERE("note LIKE #{note}");
            if (status != null && !status.isEmpty()) {
                sql.WHERE("status = '" + status + "'");
            }
            return sql.ORDER_BY("id").toString();
        }
    }
}

@RestController
@RequestMapping("/invoices")
public class InvoiceController {

    private final InvoiceMapper invoices;

    public InvoiceController(InvoiceMapper invoices) {
        this.invoices = invoices;
    }

    @GetMapping("/customer/{id}")
    public List<Map<String, Object>> customer(@PathVariable long id, @RequestParam(defaultValue = "number") String order) {
        return invoices.byCustomer(id, order);
    }

    @GetMapping("/overdue")
    public List<Map<String, Object>> overdue(@RequestParam(defaultValue = "20") int limit) {
        return invoices.overdue(LocalDate.now(), Math.min(limit, 200));
    }

    @GetMapping("/search")
    public List<Map<String, Object>> search(@RequestParam(required = false) String status, @RequestParam String note) {
        return invoices.search(status, "%" + note + "%");
    }

    @PostMapping("/{id}/archive")
    public int archive(@PathVariable long id, @RequestParam String kind) {
        String table;
        switch (kind) {
            case "credit": table = "credit_notes"; break;
            case "reminder": table = "reminders"; break;
            default: table = "invoices";
        }
        return invoices.archive(table, id);
    }
}
