using System;
using System.Configuration;
using System.Data;
using System.Data.SqlClient;
using System.Globalization;
using System.Web.UI;
using System.Web.UI.WebControls;

namespace Intranet.Hr
{
    public partial class EmployeeDirectory : Page
    {
        private const string TemplateRoot = @"D:\HrData\Templates\";

        protected SqlDataSource EmployeesSource;
        protected GridView EmployeesGrid;
        protected TextBox SearchBox;
        protected DropDownList TemplateList;

        private string Department
        {
            get { return Request.QueryString["dept"] ?? "all"; }
        }

        protected void Page_Load(object sender, EventArgs e)
        {
            if (IsPostBack)
            {
                return;
            }
            EmployeesSource.SelectCommand = BuildSelect();
            EmployeesGrid.DataBind();
        }

        private string BuildSelect()
        {
            string sql = "SELECT Id, FullName, Phone FROM Employees";
            if (Department != "all")
            {
                sql += string.Format(" WHERE Department = '{0}'", Department.Replace("--", ""));
            }
            return sql + " ORDER BY FullName";
        }

        protected void Search_Click(object sender, EventArgs e)
        {
            using (var connection = Open())
            using (var command = new SqlCommand("SELECT Id, FullName, Phone FROM Employees WHERE FullName LIKE @q", connection))
            {
                command.Parameters.Add("@q", SqlDbType.NVarChar, 80).Value = SearchBox.Text + "%";
                EmployeesGrid.DataSource = command.ExecuteReader();
                EmployeesGrid.DataBind();
            }
        }

        protected void HiredSince_Changed(object sender, EventArgs e)
        {
            DateTime since;
            if (!DateTime.TryParse(Request.Form["since"], out since))
            {
                return;
            }
            string sql = "SELECT Id, FullName FROM Employees WHERE HiredOn >= '"
                + since.ToString("yyyyMMdd", CultureInfo.InvariantCulture) + "'";
            using (var connection = Open())
            using (var adapter = new SqlDataAdapter(sql, connection))
            {
                var table = new DataTable();
                adapter.Fill(table);
                EmployeesGrid.DataSource = table;
                EmployeesGrid.DataBind();
            }
        }

        protected void Template_Click(object sender, EventArgs e)
        {
            string template = Request.Form["template"];
            Response.ContentType = "application/msword";
            Response.TransmitFile(TemplateRoot + template);
        }

        private static SqlConnection Open()
        {
            var connection = new SqlConnection(ConfigurationManager.ConnectionStrings["Hr"].ConnectionString);
            connection.Open();
            return connection;
        }
    }
}
