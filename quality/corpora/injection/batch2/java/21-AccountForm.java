package accounts;

import java.util.List;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.*;

@Controller
public class AccountForm {

    public static class Criteria {
        private String iban;
        private String branch;
        private long minimum;

        public String getIban() { return iban; }
        public void setIban(String iban) { this.iban = iban; }
        public String getBranch() { return branch; }
        public void setBranch(String branch) { this.branch = branch; }
        public long getMinimum() { return minimum; }
        public void setMinimum(long minimum) { this.minimum = minimum; }
    }

    static class AccountQuery {
        private final Criteria criteria;
        private String table = "account";

        AccountQuery(Criteria criteria) {
            this.criteria = criteria;
        }

        String byBranch() {
            return "SELECT iban FROM " + table + " WHERE branch = '" + criteria.getBranch() + "'";
        }

        String byMinimum() {
            return "SELECT iban FROM " + table + " WHERE balance >= " + criteria.minimum;
        }
    }

    @Autowired
    private JdbcTemplate jdbc;

    @PostMapping("/accounts/search")
    public String search(@ModelAttribute Criteria criteria, Model model) {
        AccountQuery q = new AccountQuery(criteria);
        List<String> rich = jdbc.queryForList(q.byMinimum(), String.class);
        List<String> local = jdbc.queryForList(q.byBranch(), String.class);
        model.addAttribute("rich", rich).addAttribute("local", local);
        return "accounts";
    }
}
