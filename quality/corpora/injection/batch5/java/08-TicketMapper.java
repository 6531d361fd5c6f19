package desk.tickets;

import java.util.List;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.UpdateProvider;
import org.apache.ibatis.jdbc.SQL;
import org.springframework.web.bind.annotation.*;

enum TicketSort {
    NEWEST("created_at DESC"), OLDEST("created_at ASC"), PRIORITY("priority DESC, id");

    private final String clause;

    TicketSort(String clause) {
        this.clause = clause;
    }

    public String getClause() {
        return clause;
    }
}

@Mapper
interface TicketMapper {

    @Select("SELECT id, subject, status FROM tickets WHERE id = #{id}")
    Ticket find(@Param("id") String id);

    @Select("SELECT id, subject, status FROM tickets WHERE subject LIKE '%${term}%'")
    List<Ticket> search(@Param("term") String term);

    @Select("SELECT id, subject, status FROM tickets WHERE queue = #{queue} ORDER BY ${sort.clause}")
    List<Ticket> list(@Param("queue") String queue, @Param("sort") TicketSort sort);

    @UpdateProvider(type = TicketSql.class, method = "assign")
    int assign(@Param("ids") List<String> ids, @Param("agent") String agent);

    @Delete({"<script>", "DELETE FROM tickets WHERE id IN",
            "<foreach item='id' collection='ids' open='(' separator=',' close=')'>#{id}</foreach>",
            "</script>"})
    int purge(@Param("ids") List<String> ids);
}

class TicketSql {

    public String assign(@Param("ids") List<String> ids, @Param("agent") String agent) {
        return new SQL()
                .UPDATE("tickets")
                .SET("agent = #{agent}")
                .WHERE("id IN (" + String.join(", ", ids) + ")")
                .toString();
    }
}

@RestController
@RequestMapping("/tickets")
class TicketController {

    private final TicketMapper mapper;

    TicketController(TicketMapper mapper) {
        this.mapper = mapper;
    }

    @GetMapping("/{id}")
    Ticket one(@PathVariable String id) {
        return mapper.find(id);
    }

    @GetMapping
    List<Ticket> list(@RequestParam(required = false) String q, @RequestParam(defaultValue = "support") String queue,
                      @RequestParam(defaultValue = "NEWEST") TicketSort sort) {
        return q == null
                ? mapper.list(queue, sort)
                : mapper.search(q);
    }

    @PutMapping("/assign")
    int assign(@RequestBody List<String> ids, @RequestHeader("X-Agent") String agent) {
        return mapper.assign(ids, agent);
    }

    @DeleteMapping
    int purge(@RequestBody List<String> ids) {
        return ids.isEmpty() ? 0 : mapper.purge(ids);
    }
}
