using System;
using System.Data;
using System.Data.SqlClient;
using System.Configuration;
using System.Web.UI;
using System.Web.UI.WebControls;

namespace Payroll.Web.Reports
{
    public partial class StaffReport : Page
    {
        protected GridView StaffGrid;
        protected TextBox SurnameBox;
        protected TextBox YearBox;
        protected SqlDataSource LeaveSource;

        private static string ConnectionString =>
            ConfigurationManager.ConnectionStrings["payroll"].ConnectionString;

        protected void Page_Load(object sender, EventArgs e)
        {
            if (!IsPostBack)
            {
                Session["dept"] = Request.QueryString["dept"] ?? "all";
                BindByYear(DateTime.Now.Year);
            }
        }

        protected void Search_Click(object sender, EventArgs e)
        {
            string sql = string.Format(
                "SELECT id, surname, grade FROM staff WHERE surname LIKE '{0}%'", SurnameBox.Text.Trim());
            var table = new DataTable();
            using (var connection = new SqlConnection(ConnectionString))
            using (var adapter = new SqlDataAdapter(sql, connection))
            {
                adapter.Fill(table);
            }
            StaffGrid.DataSource = table;
            StaffGrid.DataBind();
        }

        protected void Year_Changed(object sender, EventArgs e)
        {
            BindByYear(Convert.ToInt32(YearBox.Text));
        }

        private void BindByYear(int year)
        {
            using (var connection = new SqlConnection(ConnectionString))
            using (var command = new SqlCommand("SELECT id, surname, grade FROM staff_" + year, connection))
            {
                connection.Open();
                StaffGrid.DataSource = command.ExecuteReader();
                StaffGrid.DataBind();
            }
        }

        protected void Department_Click(object sender, EventArgs e)
        {
            LeaveSource.SelectCommand = "SELECT * FROM leave_days WHERE dept = '" + (string)Session["dept"] + "'";
            LeaveSource.DataBind();
        }

        protected void Grade_Command(object sender, CommandEventArgs e)
        {
            const string Columns = "id, surname, grade";
            string sql = "SELECT " + Columns + " FROM staff WHERE grade = @grade";
            using (var connection = new SqlConnection(ConnectionString))
            using (var command = new SqlCommand(sql, connection))
            {
                command.Parameters.Add("@grade", SqlDbType.NVarChar, 10).Value = Request.Form["grade"];
                connection.Open();
                StaffGrid.DataSource = command.ExecuteReader();
                StaffGrid.DataBind();
            }
        }
    }
}
